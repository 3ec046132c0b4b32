import { packageTests } from "../../tools/vitest.ts";

export default packageTests;
