const plain = (name: string): string => name.replace(/\.$/, '').toLowerCase();

/** The service cuts the domain off a full name (src/cloud/README.md: facts 18). Without the domain's name, any rest that looks like one will do. */
export function isRelativeName(stored: string, wanted: string, zone: string | undefined): boolean {
  const [have, name] = [plain(stored), plain(wanted)];
  if (have === name) return true;
  if (zone !== undefined) return name === (have === '' ? plain(zone) : `${have}.${plain(zone)}`);
  return have === '' ? name.includes('.') : name.startsWith(`${have}.`) && name.slice(have.length + 1).includes('.');
}

/** The service completes a bare host name with the domain; a final dot means nothing. */
export function isCompletedName(stored: string, wanted: string, zone: string | undefined): boolean {
  const [have, name] = [plain(stored), plain(wanted)];
  if (have === name) return true;
  return zone === undefined ? !name.includes('.') && have.startsWith(`${name}.`) : have === `${name}.${plain(zone)}`;
}

/** The one spelling of a record's name: below the domain, without final dot, in lower case. */
export function relativeName(name: string, zone: string | undefined): string {
  const text = plain(name);
  if (zone === undefined) return text;
  return text === plain(zone) ? '' : text.endsWith(`.${plain(zone)}`) ? text.slice(0, -plain(zone).length - 1) : text;
}

/** The one spelling of a host that a record leads to: complete, without final dot, in lower case. */
export function completedName(name: string, zone: string | undefined): string {
  const text = plain(name);
  return zone === undefined || text === '' || text.includes('.') ? text : `${text}.${plain(zone)}`;
}
