/** Names of what the operator and people write on objects; adapters keep no other annotation. */
export const group = 'cloudhosting.dev';
export const finalizer = `${group}/remote`;

/** Written by the operator. */
export const remoteAnnotation = `${group}/remote`;
export const intentAnnotation = `${group}/intent`;
/** Of duplicates, as the code calls them: objects in clusters bear the older name. */
export const twinsAnnotation = `${group}/twins`;
export const replacingAnnotation = `${group}/replacing`;
export const labelAnnotation = `${group}/label`;
/** On an operation: whose it is, and how far it came. */
export const operationAnnotation = `${group}/operation`;
/** On what was operated on: the operations that must not come again. */
export const operationsAnnotation = `${group}/operations`;
export const spentAnnotation = `${group}/spent`;
/** What another remote has taken the place of, and when it goes. */
export const retiringAnnotation = `${group}/retiring`;

/** Written by people. */
export const pauseAnnotation = `${group}/pause`;
export const resumeAnnotation = `${group}/resume`;
export const reconcileAtAnnotation = `${group}/reconcile-at`;
export const approveAnnotation = `${group}/approve`;
export const approveReasonAnnotation = `${group}/approve-reason`;
export const approveChangeAnnotation = `${group}/approve-change`;
export const recreateAnnotation = `${group}/recreate`;
export const releaseAnnotation = `${group}/release`;
export const abandonAnnotation = `${group}/abandon`;
export const confirmAnnotation = `${group}/confirm`;
export const rotateAnnotation = `${group}/rotate`;

/** By the operator: signed, or of no use without what status says. */
export const marks: readonly string[] = [
  remoteAnnotation,
  intentAnnotation,
  twinsAnnotation,
  replacingAnnotation,
  labelAnnotation,
  spentAnnotation,
  retiringAnnotation,
  operationAnnotation,
  operationsAnnotation,
];
const gestures = [
  pauseAnnotation,
  resumeAnnotation,
  reconcileAtAnnotation,
  approveAnnotation,
  approveReasonAnnotation,
  approveChangeAnnotation,
  recreateAnnotation,
  releaseAnnotation,
  abandonAnnotation,
  confirmAnnotation,
  rotateAnnotation,
];
export const ourAnnotations: ReadonlySet<string> = new Set([...marks, ...gestures]);
/** By a person: worth nothing to anybody else. */
export const isGesture = (name: string): boolean => gestures.includes(name);
