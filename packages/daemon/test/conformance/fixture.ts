import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  completable,
  createRequestStateCodec,
  inputRequired,
  McpServer,
  ResourceTemplate,
  type CallToolResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

/**
 * The server that the conformance scenarios expect. Its tools, prompts and resources have exactly the names and texts in the runner's
 * descriptions. It runs as a separate program behind Baton's endpoint.
 */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

const state = createRequestStateCodec<{ round: number }>({ key: randomBytes(32) });
const text = (content: string): CallToolResult => ({ content: [{ type: "text", text: content }] });
const image = { type: "image", data: PNG, mimeType: "image/png" } as const;
const embedded = (uri: string, mimeType: string, content: string) =>
  ({ type: "resource", resource: { uri, mimeType, text: content } }) as const;
const asking = (message: string, field: string, type: "string" | "boolean" = "string") => {
  const properties = { [field]: type === "string" ? ({ type: "string" } as const) : ({ type: "boolean" } as const) };
  return inputRequired.elicit({ message, requestedSchema: { type: "object", properties, required: [field] } });
};
const sampling = (content: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: "user", content: { type: "text", text: content } }], maxTokens });

type Elicited = Extract<Parameters<typeof inputRequired.elicit>[0]["requestedSchema"], { properties: unknown }>;

type Tool = (context: ServerContext) => CallToolResult | Promise<unknown> | object;

/** The answer to a question of this name; undefined if there is none. */
const answer = ({ mcpReq }: ServerContext, key: string): Record<string, unknown> | undefined =>
  mcpReq.inputResponses?.[key] as Record<string, unknown> | undefined;

/** The value of a filled field; undefined if it is empty. */
function filledIn(context: ServerContext, key: string, field: string): unknown {
  const { action, content } = answer(context, key) ?? {};
  return action === "accept" ? (content as Record<string, unknown> | undefined)?.[field] : undefined;
}

const capabilities = ({ mcpReq }: ServerContext): Record<string, unknown> =>
  ((mcpReq.envelope as Record<string, unknown> | undefined)?.["io.modelcontextprotocol/clientCapabilities"] ?? {}) as Record<
    string,
    unknown
  >;

const roundOf = ({ mcpReq }: ServerContext): number => mcpReq.requestState<{ round: number }>()?.round ?? 0;

const tools: Record<string, Tool> = {
  test_simple_text: () => text("This is a simple text response for testing."),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }] }),
  test_embedded_resource: () => ({
    content: [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: "text", text: "Multiple content types test:" },
      image,
      embedded("test://mixed-content-resource", "application/json", JSON.stringify({ test: "data", value: 123 })),
    ],
  }),
  test_error_handling: () => ({ ...text("This tool intentionally returns an error for testing"), isError: true }),
  test_tool_with_progress: async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
      if (progress < 100) await sleep(50);
    }
    return text("Done.");
  },
  test_tool_with_logging: async ({ mcpReq }) => {
    for (const message of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await mcpReq.log("info", message);
      await sleep(50);
    }
    return text("Done.");
  },
  test_logging_tool: async ({ mcpReq }) => {
    await mcpReq.log("info", "This is logged only for those who asked for it.");
    return text("Done.");
  },
  test_missing_capability: (context) =>
    answer(context, "greeting")
      ? text("The client has sampling.")
      : inputRequired({ inputRequests: { greeting: sampling("Say hello.", 50) } }),
  test_streaming_elicitation: (context) => {
    const name = filledIn(context, "user_name", "name");
    return name === undefined
      ? inputRequired({ inputRequests: { user_name: asking("What is your name?", "name") } })
      : text(`Hello, ${String(name)}!`);
  },
  test_input_required_result_elicitation: (context) => {
    const name = filledIn(context, "user_name", "name");
    return typeof name === "string"
      ? text(`Hello, ${name}!`)
      : inputRequired({ inputRequests: { user_name: asking("What is your name?", "name") } });
  },
  test_input_required_result_sampling: (context) => {
    const reply = answer(context, "capital_question");
    return reply
      ? text(`The model says: ${JSON.stringify(reply["content"])}`)
      : inputRequired({ inputRequests: { capital_question: sampling("What is the capital of France?", 100) } });
  },
  test_input_required_result_list_roots: (context) => {
    const roots = answer(context, "client_roots");
    return roots
      ? text(`The roots are: ${JSON.stringify(roots["roots"])}`)
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  },
  test_input_required_result_request_state: async (context) =>
    filledIn(context, "confirm", "ok") !== undefined && roundOf(context) === 1
      ? text("state-ok")
      : inputRequired({
          inputRequests: { confirm: asking("Please confirm", "ok", "boolean") },
          requestState: await state.mint({ round: 1 }, context),
        }),
  test_input_required_result_multiple_inputs: async (context) =>
    ["user_name", "greeting", "client_roots"].every((key) => answer(context, key)) && roundOf(context) === 1
      ? text("All answered.")
      : inputRequired({
          inputRequests: {
            user_name: asking("What is your name?", "name"),
            greeting: sampling("Generate a greeting", 50),
            client_roots: inputRequired.listRoots(),
          },
          requestState: await state.mint({ round: 1 }, context),
        }),
  test_input_required_result_multi_round: async (context) => {
    const round = roundOf(context);
    if (round === 2 && filledIn(context, "step2", "color") !== undefined) return text("Both steps are done.");
    const isSecond = round === 1 && filledIn(context, "step1", "name") !== undefined;
    return isSecond
      ? inputRequired({
          inputRequests: { step2: asking("Step 2: What is your favorite color?", "color") },
          requestState: await state.mint({ round: 2 }, context),
        })
      : inputRequired({
          inputRequests: { step1: asking("Step 1: What is your name?", "name") },
          requestState: await state.mint({ round: 1 }, context),
        });
  },
  test_input_required_result_tampered_state: async (context) =>
    roundOf(context) === 1
      ? text("state-ok")
      : inputRequired({
          inputRequests: { confirm: asking("Please confirm", "ok", "boolean") },
          requestState: await state.mint({ round: 1 }, context),
        }),
  test_input_required_result_capabilities: (context) => {
    const { elicitation, sampling: hasSampling } = capabilities(context);
    if (Object.keys(context.mcpReq.inputResponses ?? {}).length > 0) return text("Answered.");
    return inputRequired({
      inputRequests: {
        ...(elicitation === undefined ? {} : { user_name: asking("What is your name?", "name") }),
        ...(hasSampling === undefined ? {} : { greeting: sampling("Generate a greeting", 50) }),
      },
    });
  },
  test_reconnection: () => text("Reconnected."),
};

function makeServer(): McpServer {
  const server = new McpServer(
    { name: "conformance-fixture", version: "1.0.0" },
    {
      capabilities: { logging: {}, resources: { subscribe: true, listChanged: true }, prompts: { listChanged: true } },
      requestState: { verify: (value, context) => state.verify(value, context) },
    },
  );
  for (const [name, run] of Object.entries(tools))
    server.registerTool(
      name,
      { description: `The tool ${name} of the scenarios.`, inputSchema: z.object({}) },
      async (_, context) => (await run(context)) as CallToolResult,
    );
  asking2025(server);
  changing(server);
  resources(server);
  prompts(server);
  return server;
}

/**
 * The questions that the scenarios of the older protocol have a server ask. This server uses the newer protocol, and the endpoint
 * translates.
 */
function asking2025(server: McpServer): void {
  const completed = (context: ServerContext): CallToolResult | undefined => {
    const reply = answer(context, "asked");
    return reply && text(`Elicitation completed: action=${String(reply["action"])}, content=${JSON.stringify(reply["content"])}`);
  };
  const elicit = (message: string, properties: Elicited["properties"], required: string[] = []) =>
    inputRequired({
      inputRequests: { asked: inputRequired.elicit({ message, requestedSchema: { type: "object", properties, required } }) },
    });
  server.registerTool(
    "test_sampling",
    { description: "Asks the client's model.", inputSchema: z.object({ prompt: z.string() }) },
    ({ prompt }, context) => {
      const content = answer(context, "asked")?.["content"] as { text?: string } | undefined;
      return content ? text(`LLM response: ${content.text ?? ""}`) : inputRequired({ inputRequests: { asked: sampling(prompt, 100) } });
    },
  );
  server.registerTool(
    "test_elicitation",
    { description: "Asks the person.", inputSchema: z.object({ message: z.string() }) },
    ({ message }, context) =>
      completed(context) ??
      elicit(
        message,
        {
          username: { type: "string", description: "User's response" },
          email: { type: "string", description: "User's email address" },
        },
        ["username", "email"],
      ),
  );
  server.registerTool(
    "test_elicitation_sep1034_defaults",
    { description: "Asks with defaults." },
    (context) =>
      completed(context) ??
      elicit("Check these values.", {
        name: { type: "string", default: "John Doe" },
        age: { type: "integer", default: 30 },
        score: { type: "number", default: 95.5 },
        status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", default: true },
      }),
  );
  const titled = (...titles: string[]) => titles.map((title, i) => ({ const: `value${i + 1}`, title }));
  const options = ["option1", "option2", "option3"];
  server.registerTool(
    "test_elicitation_sep1330_enums",
    { description: "Asks for choices of all kinds." },
    (context) =>
      completed(context) ??
      elicit("Choose.", {
        untitledSingle: { type: "string", enum: options },
        titledSingle: { type: "string", oneOf: titled("First Option", "Second Option", "Third Option") },
        legacyEnum: { type: "string", enum: ["opt1", "opt2", "opt3"], enumNames: ["Option One", "Option Two", "Option Three"] },
        untitledMulti: { type: "array", items: { type: "string", enum: options } },
        titledMulti: { type: "array", items: { anyOf: titled("First Choice", "Second Choice", "Third Choice") } },
      }),
  );
}

/** Two tools that change the list of tools. */
function changing(server: McpServer): void {
  const extraTool = server.registerTool("test_extra_tool", { description: "Comes and goes." }, () => text("There."));
  const extraPrompt = server.registerPrompt("test_extra_prompt", { description: "Comes and goes." }, () => ({ messages: [] }));
  const extraResource = server.registerResource("extra", "test://extra", { description: "Comes and goes." }, ({ href }) => ({
    contents: [{ uri: href, text: "There." }],
  }));
  const triggers = { tool: extraTool, prompt: extraPrompt, resource: extraResource };
  for (const [what, extra] of Object.entries(triggers)) {
    extra.disable();
    server.registerTool(`test_trigger_${what}_change`, { description: `Has a ${what} come or go.` }, () => {
      if (extra.enabled) extra.disable();
      else extra.enable();
      return text("Changed.");
    });
  }
  server.registerTool("test_trigger_end", { description: "Ends the server." }, () => process.exit(0));
  server.registerTool("test_trigger_update", { description: "Says that the watched resource changed." }, async () => {
    await server.server.sendResourceUpdated({ uri: "test://watched-resource" });
    return text("Changed.");
  });
}

function resources(server: McpServer): void {
  const say = (name: string, uri: string, mimeType: string, content: { text: string } | { blob: string }) =>
    server.registerResource(name, uri, { description: `The resource ${name} of the scenarios.`, mimeType }, ({ href }) => ({
      contents: [{ uri: href, mimeType, ...content }],
    }));
  say("static-text", "test://static-text", "text/plain", { text: "This is the content of the static text resource." });
  say("static-binary", "test://static-binary", "image/png", { blob: PNG });
  say("watched-resource", "test://watched-resource", "text/plain", { text: "Watch this." });
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", {
      list: undefined,
      complete: { id: (typed) => ["123", "124", "200"].filter((id) => id.startsWith(typed)) },
    }),
    { description: "Data by id.", mimeType: "application/json" },
    ({ href }, { id }) => ({
      contents: [
        {
          uri: href,
          mimeType: "application/json",
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
}

function prompts(server: McpServer): void {
  const user = (content: string) => ({ role: "user", content: { type: "text", text: content } }) as const;
  server.registerPrompt("test_simple_prompt", { description: "A simple prompt." }, () => ({
    messages: [user("This is a simple prompt for testing.")],
  }));
  const cities = ["paris", "park", "party", "london"];
  server.registerPrompt(
    "test_prompt_with_arguments",
    {
      description: "A prompt with arguments.",
      argsSchema: z.object({
        arg1: completable(z.string().describe("First test argument"), (typed) => cities.filter((city) => city.startsWith(typed))),
        arg2: z.string().describe("Second test argument"),
      }),
    },
    ({ arg1, arg2 }) => ({ messages: [user(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "A prompt with a resource.", argsSchema: z.object({ resourceUri: z.string().describe("What to embed") }) },
    ({ resourceUri }) => ({
      messages: [
        { role: "user", content: embedded(resourceUri, "text/plain", "Embedded resource content for testing.") },
        user("Please process the embedded resource above."),
      ],
    }),
  );
  server.registerPrompt("test_prompt_with_image", { description: "A prompt with an image." }, () => ({
    messages: [{ role: "user", content: image }, user("Please analyze the image above.")],
  }));
  server.registerPrompt("test_input_required_result_prompt", { description: "A prompt that asks first." }, (context) => {
    const reply = filledIn(context, "user_context", "context");
    return reply === undefined
      ? inputRequired({ inputRequests: { user_context: asking("What context should the prompt use?", "context") } })
      : { messages: [user(`The context is: ${String(reply)}`)] };
  });
}

serveStdio(makeServer);
