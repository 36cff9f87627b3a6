/** Takes the colours off questions: Node.js styles text as this environment says, and only where standard output is a terminal. */
export function withoutColour(env: Record<string, string | undefined>): void {
  delete env['FORCE_COLOR'];
  env['NO_COLOR'] = '1';
}
