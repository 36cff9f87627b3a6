import { type Attributes, isRecord, listOf } from '../../../kinds/terraform/rule.ts';

/** What `terraform show -json` writes of a state, in the form of `terraform state pull`; what is not as it should be stays so, and is refused as there. */
export function asPulled({ values, terraform_version: terraform }: Attributes): Attributes {
  const root = isRecord(values) ? values['root_module'] : undefined;
  return {
    version: 4,
    ...(typeof terraform === 'string' && { terraform_version: terraform }),
    resources: isRecord(root) ? resourcesIn(root) : [],
  };
}

/** Of a module and of those below it. */
function resourcesIn(module: Attributes): readonly unknown[] {
  const below = listOf(module['child_modules']).flatMap((child) => (isRecord(child) ? resourcesIn(child) : [child]));
  return [...listOf(module['resources']).map((one) => (isRecord(one) ? asResource(one, module['address']) : one)), ...below];
}

function asResource(shown: Attributes, module: unknown): Attributes {
  const { mode, type, name, provider_name: provider, index, deposed_key: deposed, tainted, schema_version: version, values } = shown;
  return {
    ...(module !== undefined && { module }),
    mode,
    type,
    name,
    provider: `provider["${String(provider)}"]`,
    instances: [
      {
        ...(index !== undefined && { index_key: index }),
        ...(deposed !== undefined && { deposed }),
        ...(tainted === true && { status: 'tainted' }),
        ...(version !== undefined && { schema_version: version }),
        attributes: values ?? {},
        sensitive_attributes: sensitiveIn(shown['sensitive_values']).map((value) => [{ type: 'get_attr', value }]),
      },
    ],
  };
}

/** Names of attributes in which something is sensitive. */
const sensitiveIn = (marks: unknown): readonly string[] =>
  isRecord(marks) ? Object.entries(marks).flatMap(([name, mark]) => (isMarked(mark) ? [name] : [])) : [];
const isMarked = (mark: unknown): boolean => {
  if (Array.isArray(mark)) return mark.some(isMarked);
  return isRecord(mark) ? Object.values(mark).some(isMarked) : mark === true;
};
