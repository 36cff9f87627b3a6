import type { Dispatcher } from 'undici';
import { KubeError } from '../../engine/ports/index.ts';

/** Asked in the tick of the socket write; a text stops the request. */
export type Objection = () => string | undefined;
type Handler = Dispatcher.DispatchHandler;

/** Until a connection stands a request waits, and whoever sends it may be stopped meanwhile: so it is asked here and not before. */
export const gated = (dispatcher: Dispatcher, title: string, objection: Objection | undefined): Dispatcher =>
  objection ? dispatcher.compose((dispatch) => (options, handler) => dispatch(options, new Gate(handler, title, objection))) : dispatcher;

class Gate implements Handler {
  readonly #handler: Handler;
  readonly #title: string;
  readonly #objection: Objection;

  constructor(handler: Handler, title: string, objection: Objection) {
    this.#handler = handler;
    this.#title = title;
    this.#objection = objection;
  }

  onRequestStart(...[controller, context]: Parameters<NonNullable<Handler['onRequestStart']>>): void {
    this.#handler.onRequestStart?.(controller, context);
    const why = this.#objection();
    if (why !== undefined) controller.abort(new KubeError('Unavailable', `${this.#title}: not sent: ${why}`));
  }
  onResponseStart(...told: Parameters<NonNullable<Handler['onResponseStart']>>): void {
    this.#handler.onResponseStart?.(...told);
  }
  onResponseData(...told: Parameters<NonNullable<Handler['onResponseData']>>): void {
    this.#handler.onResponseData?.(...told);
  }
  onResponseEnd(...told: Parameters<NonNullable<Handler['onResponseEnd']>>): void {
    this.#handler.onResponseEnd?.(...told);
  }
  onResponseError(...told: Parameters<NonNullable<Handler['onResponseError']>>): void {
    this.#handler.onResponseError?.(...told);
  }
}
