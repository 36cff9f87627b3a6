/** A single port is one piece, a range two (document 3, Firewall). */
const mostPieces = 15;

const number = /^[1-9]\d{0,4}$/;

const isPort = (text: string): boolean => number.test(text) && Number(text) <= 65_535;

/** Pieces that one part of the list counts for; 0 = not valid. */
function pieces(part: string): 0 | 1 | 2 {
  const [low = '', high, more] = part.split('-');
  if (more !== undefined || !isPort(low)) return 0;
  if (high === undefined) return 1;
  return isPort(high) && Number(high) > Number(low) ? 2 : 0;
}

function listProblem(ports: unknown): string | undefined {
  if (typeof ports !== 'string') return 'ports is not valid';
  const counted = ports.split(/, ?/).map(pieces);
  if (counted.includes(0)) return 'ports is not valid';
  const sum = counted.reduce<number>((total, count) => total + count, 0);
  return sum > mostPieces ? `Must be 1-${mostPieces} items` : undefined;
}

/** What is wrong with the ports of a rule of that protocol. */
export function portProblem(protocol: unknown, ports: unknown): string | undefined {
  const none = ports === undefined || ports === null || ports === '';
  if (protocol === 'ICMP' || protocol === 'IPENCAP') return none ? undefined : 'ports is not valid';
  if (!none) return listProblem(ports);
  return protocol === 'TCP' || protocol === 'UDP' ? 'ports is required' : undefined;
}
