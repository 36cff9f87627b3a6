/** What people type for a verb that there is not, because a field or kubectl itself does it: what to do instead. */
const lookFirst = 'what a change does before it is made: kubectl cloud plan -f FILE';
const edit = 'change the spec, in Git or with kubectl edit';
const apply = `objects are made and changed with kubectl apply -f FILE; ${lookFirst}`;
const list = 'kubectl get cinst lists instances, kubectl cloud status all that there is, and kubectl cloud get what the account has';
const move = `${edit} cvol/data: spec.instanceRef (CloudVolume) says to which instance it is attached; ${lookFirst}`;
const size = `${edit} cinst/web: spec.type (CloudInstance), or cvol/data: spec.sizeGiB (CloudVolume); ${lookFirst}`;
const show = 'kubectl cloud why cinst/web says what it waits for, kubectl describe cinst/web shows all of it';

export const noVerbs: Readonly<Record<string, string>> = {
  resize: size,
  scale: `${size}. Nodes of a pool: spec.autoscaler or spec.count (CloudNodePool)`,
  attach: move,
  detach: `${move}; without it, to none`,
  clone: 'make an object whose spec.cloneFrom names the one to copy: kubectl cloud schema cinst.cloneFrom',
  rename: `${edit} cinst/web: spec.label is the name in the account; ${lookFirst}`,
  tag: `${edit} cinst/web: spec.tags; ${lookFirst}`,
  create: apply,
  apply,
  edit: `${edit} cinst/web; ${lookFirst}`,
  delete:
    'kubectl delete cinst/web; its status.policy says whether what it stands for goes with it: spec.lifecycle.onDelete: Retain keeps that in the account',
  list,
  ls: list,
  describe: show,
  show,
  logs: 'kubectl cloud history cinst/web tells what was done to it; kubectl cloud bundle gathers the logs of the operator',
  start: 'kubectl cloud boot cinst/web does it once; spec.power: On keeps it on',
  stop: 'kubectl cloud shutdown cinst/web does it once; spec.power: Off keeps it off',
  restart: 'kubectl cloud reboot cinst/web',
};
