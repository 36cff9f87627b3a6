/** The custom resource that conversations are about: every kind of rule that this project's CRDs use, and some more. */
export const widgetCrd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.apiserver.test' },
  spec: {
    group: 'apiserver.test',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList', shortNames: ['wd'], categories: ['cloud'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              apiVersion: { type: 'string' },
              kind: { type: 'string' },
              metadata: { type: 'object' },
              spec: {
                type: 'object',
                required: ['size'],
                properties: {
                  size: { type: 'integer', minimum: 1, maximum: 100 },
                  label: { type: 'string', pattern: '^[a-z]+$', minLength: 2, maxLength: 10 },
                  region: { type: 'string', enum: ['a', 'b'] },
                  ratio: { type: 'number', exclusiveMinimum: true, minimum: 0, multipleOf: 0.5 },
                  on: { type: 'boolean' },
                  tags: {
                    type: 'array',
                    maxItems: 3,
                    minItems: 1,
                    items: { type: 'string', maxLength: 5 },
                    'x-kubernetes-list-type': 'set',
                  },
                  ports: {
                    type: 'array',
                    maxItems: 10,
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: { name: { type: 'string' }, port: { type: 'integer' }, proto: { type: 'string', default: 'TCP' } },
                    },
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                  },
                  labels: { type: 'object', maxProperties: 2, additionalProperties: { type: 'string' } },
                  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                  port: { 'x-kubernetes-int-or-string': true },
                  maybe: { type: 'string', nullable: true },
                  when: { type: 'string', format: 'date-time' },
                  url: { type: 'string', maxLength: 200, 'x-kubernetes-validations': [{ rule: 'isURL(self)', message: 'must be a URL' }] },
                  name2: {
                    type: 'string',
                    maxLength: 20,
                    'x-kubernetes-validations': [
                      { rule: '!oldSelf.hasValue() || self == oldSelf.value()', message: 'name2 is set once', optionalOldSelf: true },
                    ],
                  },
                  steps: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf', message: 'steps only go up' }] },
                  namespace: { type: 'string', maxLength: 20, 'x-kubernetes-validations': [{ rule: "self != 'no'", message: 'not no' }] },
                  addr: { type: 'string', format: 'ipv4' },
                  choice: {
                    type: 'object',
                    properties: { a: { type: 'string' }, b: { type: 'string' } },
                    'x-kubernetes-validations': [
                      { rule: '[has(self.a), has(self.b)].filter(x, x).size() == 1', message: 'exactly one of a and b' },
                    ],
                  },
                },
                'x-kubernetes-validations': [
                  {
                    rule: 'has(self.region) == has(oldSelf.region) && (!has(self.region) || self.region == oldSelf.region)',
                    message: 'region is immutable',
                  },
                  {
                    rule: 'self.size >= oldSelf.size',
                    messageExpression: "self.size > 5 ? 'size can only grow (big)' : 'size can only grow'",
                  },
                  {
                    rule: '!has(self.on) || !self.on || self.size > 5',
                    message: 'on needs size above 5',
                    fieldPath: '.on',
                    reason: 'FieldValueForbidden',
                  },
                  { rule: "!has(self.label) || self.label != 'bad'" },
                  { rule: "!has(self.__namespace__) || self.__namespace__.startsWith('n')", message: 'namespace begins with n' },
                ],
              },
              status: {
                type: 'object',
                default: { observedGeneration: -1 },
                properties: {
                  observedGeneration: { type: 'integer' },
                  phase: { type: 'string' },
                  conditions: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['type'],
                    items: {
                      type: 'object',
                      required: ['type', 'status'],
                      properties: { type: { type: 'string' }, status: { type: 'string', enum: ['True', 'False', 'Unknown'] } },
                    },
                  },
                },
              },
            },
          },
        },
        additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
      },
    ],
  },
};
