import { parse } from 'yaml';
import { reasons } from './reasons.ts';
import { eventReasons, type Explained, phases, pluginWords } from './states.ts';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}
const alertsOf = (text: string): readonly Alert[] =>
  (parse(text) as { readonly groups: readonly { readonly rules: readonly Alert[] }[] }).groups.flatMap(({ rules }) => rules);

/** How to come from an object, or from an alert, to what is to be done. The commands are run by a test, as those of all guides. */
export const troubleshooting = ({ alerts, beginning }: { alerts: string; beginning: string }, about: string): string =>
  [
    `<!-- ${about} -->\n\n${beginning}`,
    `## By reason\n\n${explained(reasons)}`,
    `## By word of the plugin\n\nWhere the status of an object does not tell how it is, \`kubectl cloud\` says one of these in place of a reason.\n\n${explained(pluginWords)}`,
    `## By phase of an operation\n\n${Object.entries(phases).map(ofPhase).join('\n')}\n`,
    `## By Event\n\nAn Event has the reason of the condition that it tells of. These stand in Events alone.\n\n${explained(eventReasons)}`,
    `## By alert\n\n${alertsOf(alerts).map(ofAlert).join('\n')}`,
  ].join('\n');

const explained = (all: Readonly<Record<string, Explained>>): string => Object.entries(all).map(ofReason).join('\n');
const ofReason = ([reason, { means, todo }]: readonly [string, Explained]): string => `### ${reason}\n\n${means} **To do:** ${todo}\n`;
const ofPhase = ([phase, { means, todo }]: readonly [string, Explained]): string => `- \`${phase}\`: ${means} **To do:** ${todo}`;

/** Words that Prometheus and the chart fill in. */
const plain = (text: string): string =>
  text
    .replaceAll(/\{\{ \$value[^}]*\}\}/g, 'N')
    .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, '<$1>')
    .replaceAll('RELEASE_NAMESPACE', '<namespace of the release>')
    .replaceAll('RELEASE_NAME', '<release>');

const ofAlert = ({ alert, for: after, labels, annotations }: Alert): string =>
  `### ${alert}\n\n*${labels.severity}${after === undefined ? '' : `, after ${after}`}.* ${plain(annotations.summary)} **To do:** ${plain(annotations.description)}\n`;
