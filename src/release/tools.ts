import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The programs that a release asks for what it cannot do itself. */
export type Tool = 'crane' | 'cosign' | 'git' | 'npm';
export type Run = (tool: Tool, args: readonly string[], options?: { readonly cwd?: string }) => Promise<Buffer>;

/** How those are had that no machine has of itself. */
export const installs: Readonly<Partial<Record<Tool, string>>> = {
  crane: 'go install github.com/google/go-containerregistry/cmd/crane@v0.22.1',
  cosign: 'go install github.com/sigstore/cosign/v3/cmd/cosign@v3.1.3',
};

/** Programs are found in PATH, or where a variable of their name in capitals says, for example COSIGN. */
export const runnerIn =
  (env: NodeJS.ProcessEnv): Run =>
  async (tool, args, options = {}) => {
    try {
      const file = env[tool.toUpperCase()] ?? tool;
      return (await execute(file, args, { ...options, env, encoding: 'buffer', maxBuffer: 256 * 1024 * 1024 })).stdout;
    } catch (error) {
      throw new Error(told(tool, args, error), { cause: error });
    }
  };

function told(tool: Tool, args: readonly string[], error: unknown): string {
  const { code, stderr = '' } = error as { readonly code?: string | number; readonly stderr?: Buffer | string };
  if (code === 'ENOENT') return `${tool} is not in PATH; install it${installs[tool] ? `, for example with \`${installs[tool]}\`` : ''}`;
  return `${tool} ${args[0]} failed: ${stderr.toString().trim().slice(-2000)}`;
}
