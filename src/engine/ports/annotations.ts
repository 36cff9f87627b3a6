/** Names of what the operator and people write on objects; adapters keep no other annotation. */
export const group = 'cloudhosting.dev';
export const finalizer = `${group}/remote`;

/** Written by the operator. */
export const remoteAnnotation = `${group}/remote`;
export const intentAnnotation = `${group}/intent`;
export const twinsAnnotation = `${group}/twins`;
export const replacingAnnotation = `${group}/replacing`;
export const labelAnnotation = `${group}/label`;
export const spentAnnotation = `${group}/spent`;

/** Written by people. */
export const pauseAnnotation = `${group}/pause`;
export const resumeAnnotation = `${group}/resume`;
export const reconcileAtAnnotation = `${group}/reconcile-at`;
export const approveAnnotation = `${group}/approve`;
export const approveChangeAnnotation = `${group}/approve-change`;
export const recreateAnnotation = `${group}/recreate`;
export const releaseAnnotation = `${group}/release`;
export const abandonAnnotation = `${group}/abandon`;

/** By the operator: signed, or of no use without what status says. */
const marks = [remoteAnnotation, intentAnnotation, twinsAnnotation, replacingAnnotation, labelAnnotation, spentAnnotation];
const gestures = [
  pauseAnnotation,
  resumeAnnotation,
  reconcileAtAnnotation,
  approveAnnotation,
  approveChangeAnnotation,
  recreateAnnotation,
  releaseAnnotation,
  abandonAnnotation,
];
export const ourAnnotations: ReadonlySet<string> = new Set([...marks, ...gestures]);
/** By a person: worth nothing to anybody else. */
export const isGesture = (name: string): boolean => gestures.includes(name);
