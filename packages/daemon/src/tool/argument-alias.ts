import * as z from "zod";
import { isRecord } from "./is-record.ts";

/** Arguments that also take `older` for `name`, as models were taught it elsewhere. What is offered names `name` only. */
export const withAlias = <S extends z.ZodType>(older: string, name: string, schema: S) =>
  z.preprocess((given) => {
    if (!isRecord(given) || given[name] !== undefined || given[older] === undefined) return given;
    const { [older]: value, ...rest } = given;
    return { ...rest, [name]: value };
  }, schema);
