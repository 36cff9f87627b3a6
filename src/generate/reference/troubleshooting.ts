import { parse } from 'yaml';
import { reasons } from './reasons.ts';

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
  `<!-- ${about} -->\n\n${beginning}\n## By reason\n\n${Object.entries(reasons).map(ofReason).join('\n')}\n## By alert\n\n${alertsOf(alerts).map(ofAlert).join('\n')}`;

const ofReason = ([reason, { means, todo }]: readonly [string, { readonly means: string; readonly todo: string }]): string =>
  `### ${reason}\n\n${means} **To do:** ${todo}\n`;

/** Words that Prometheus and the chart fill in. */
const plain = (text: string): string =>
  text
    .replaceAll(/\{\{ \$value[^}]*\}\}/g, 'N')
    .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, '<$1>')
    .replaceAll('RELEASE_NAMESPACE', '<namespace of the release>')
    .replaceAll('RELEASE_NAME', '<release>');

const ofAlert = ({ alert, for: after, labels, annotations }: Alert): string =>
  `### ${alert}\n\n*${labels.severity}${after === undefined ? '' : `, after ${after}`}.* ${plain(annotations.summary)} **To do:** ${plain(annotations.description)}\n`;
