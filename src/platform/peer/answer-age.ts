/** The ages in seconds of what requests were answered with, where a standby read for them. */
const ages = new WeakMap<Request, number>()

/** Notes that a request is answered with what a standby read, so many seconds old. */
export const noteAge = (request: Request, seconds: number): void => void ages.set(request, seconds)
/** Returns how old what a request is answered with is; undefined if it is of now. */
export const readAge = (request: Request): number | undefined => ages.get(request)
