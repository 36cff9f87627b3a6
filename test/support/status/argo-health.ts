import { Lua } from 'wasmoon-lua5.1';
import type { Judged } from './kstatus.ts';
import type { ArgoHealth } from './status-rows.ts';

/** A proxy of a JavaScript array looks empty to `ipairs`, so the object goes in as Lua source. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `{ ${value.map(literal).join(', ')} }`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, item]) => `[${JSON.stringify(key)}] = ${literal(item)}`)
    .join(', ')} }`;
}

/** Judges objects as Argo CD does: by a health script in Lua 5.1. */
export class HealthJudge {
  readonly #lua: Awaited<ReturnType<typeof Lua.create>>;

  private constructor(lua: Awaited<ReturnType<typeof Lua.create>>) {
    this.#lua = lua;
  }

  static async create(): Promise<HealthJudge> {
    return new HealthJudge(await Lua.create());
  }

  judge(script: string, object: Judged): { status: ArgoHealth; message: string } {
    const program = `local function judge(obj)\n${script}\nend\nlocal h = judge(${literal(object)})\nreturn h.status .. "|" .. h.message`;
    const [status = '', message = ''] = String(this.#lua.doStringSync(program)).split('|');
    return { status: status as ArgoHealth, message };
  }

  /** What a script answers or, for an action, makes of the object; a JSON of it. */
  run(script: string, object: object): unknown {
    const json = `local function text(value)
  if type(value) ~= "table" then return type(value) == "string" and string.format("%q", value) or tostring(value) end
  local parts = {}
  for key, item in pairs(value) do table.insert(parts, string.format("%q", tostring(key)) .. ":" .. text(item)) end
  return "{" .. table.concat(parts, ",") .. "}"
end`;
    const program = `${json}\nlocal function script(obj)\n${script}\nend\nreturn text(script(${literal(object)}))`;
    return JSON.parse(String(this.#lua.doStringSync(program)));
  }

  close(): void {
    this.#lua.global.close();
  }
}
