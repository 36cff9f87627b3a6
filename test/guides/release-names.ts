/** How README calls the release and the operator's namespace, and so do all guides. */
export const documented = 'cloud-operator';

export interface ReleaseNames {
  readonly name: string;
  readonly namespace: string;
}

/** Where a command names the one or the other. Elsewhere the same word is a program, a chart, a file or an image. */
const places: readonly (readonly [place: RegExp, named: (release: ReleaseNames) => string])[] = [
  [/(?<=\bhelm (?:install|template|upgrade) )cloud-operator(?= )/g, ({ name }) => name],
  [/(?<=(?:--namespace|--operator-namespace|-n)[ =])cloud-operator\b(?!-)/g, ({ namespace }) => namespace],
  [/(?<=\bserviceaccount:)cloud-operator:cloud-operator\b/g, ({ name, namespace }) => `${namespace}:${name}`],
  [/(?<=\b(?:clusterrole|deployment|name:)[ /])cloud-operator\b/g, ({ name }) => name],
];

/** A command of a guide, for a release of another name. */
export const forRelease = (command: string, release: ReleaseNames): string =>
  places.reduce((text, [place, named]) => text.replaceAll(place, named(release)), command);

/** What that release prints, as the guide's would print it; its names are like no other word. */
export const asDocumented = (output: string, { name, namespace }: ReleaseNames): string =>
  [name, namespace].reduce((text, own) => text.replaceAll(new RegExp(String.raw`\b${own}\b`, 'g'), documented), output);
