import { Document, Scalar, type SchemaOptions, visit } from 'yaml';
import { withoutControls } from '../../lib/one-line.ts';

/** YAML that a terminal may show: what it would obey is written in double quotes, where a parser reads the same. */
export function yamlOf(value: unknown, options: SchemaOptions = {}): string {
  const document = new Document(value, options);
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && withoutControls(node.value) !== node.value) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return withoutControls(document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Infinity }));
}
