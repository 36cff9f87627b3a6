const plain = (name: string): string => name.replace(/\.$/, '').toLowerCase();

/** The service cuts the domain off a full name (realities 11, Q11). Without the domain's name, any rest that looks like one will do. */
export function isRelativeName(stored: string, wanted: string, zone: string | undefined): boolean {
  const [have, name] = [plain(stored), plain(wanted)];
  if (have === name) return true;
  if (zone !== undefined) return name === (have === '' ? plain(zone) : `${have}.${plain(zone)}`);
  return have === '' ? name.includes('.') : name.startsWith(`${have}.`) && name.slice(have.length + 1).includes('.');
}

/** The service completes a bare host name with the domain (realities 11, Q11); a final dot means nothing. */
export function isCompletedName(stored: string, wanted: string, zone: string | undefined): boolean {
  const [have, name] = [plain(stored), plain(wanted)];
  if (have === name) return true;
  return zone === undefined ? !name.includes('.') && have.startsWith(`${name}.`) : have === `${name}.${plain(zone)}`;
}
