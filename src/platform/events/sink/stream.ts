/** All messages of the stream have a subject like this: the firm is in its place, and the event at the end. */
export const SUBJECTS = 'brokerbase.*.>'

/** Returns the subjects of one firm. */
export const buildFirmSubject = (tenantId: string): string => `brokerbase.${tenantId}.>`

/** One event on its way: `id` names the firm and its number, `body` are the bytes that webhooks send too. */
export type Outgoing = { subject: string; id: string; body: string }

/** A message that the stream has; `place` is its number in the whole stream. */
export type Stored = { place: number; subject: string; id: string; body: string }

/** What the stream says of itself: the place of its last message, and for how long it keeps one; 0 is for ever. */
export type StreamSeen = { last: number; keptMs: number; replicas: number }

/**
 * The stream that all events go to. This is all that is asked of it, so that another kind of stream would fit, and so
 * that tests can lose any answer. Whatever fails rejects; whether it was done is then not known.
 */
export type EventStream = {
  /** Looks at the stream, and makes it if it is missing. Rejects with `SinkRefused` if it is another one. */
  look(): Promise<StreamSeen>
  /** Returns the last message of a firm. */
  readLast(tenantId: string): Promise<Stored | null>
  /** Returns the first message at a place or after it, of one firm or of all. */
  readFrom(place: number, tenantId?: string): Promise<Stored | null>
  /** Appends a message if the last one is at the place `after`; resolves with its own place. */
  publish(message: Outgoing, after: number): Promise<number>
  /** Resolves once the connection has ended, for whatever reason. */
  closed: Promise<unknown>
  /** Gives the connection up at once; what is on its way is rejected. */
  close(): Promise<void>
}

/** The stream may not be used: it is for other subjects, or cannot be made. */
export class SinkRefused extends Error {
  override name = 'SinkRefused'
}

/** Somebody else publishes to the stream. `place` is that of their message, if this server may go on after it. */
export class SinkTaken extends Error {
  override name = 'SinkTaken'
  constructor(
    message: string,
    readonly place: number | null,
  ) {
    super(message)
  }
}

/** Returns the id of the message about an event. */
export const buildMessageId = (tenantId: string, sequence: number): string => `${tenantId}:${sequence}`

/** Returns the firm and the number that the id of a message names; null if this program did not make it. */
export function parseMessageId(id: string): { tenantId: string; sequence: number } | null {
  const [, tenantId, sequence] = /^([\w-]+):(\d{1,15})$/.exec(id) ?? []
  return tenantId === undefined ? null : { tenantId, sequence: Number(sequence) }
}

/** Returns the id of the event in a message; null if there is none. */
export function readEventId({ body }: Stored): string | null {
  try {
    const event: unknown = JSON.parse(body)
    const hasId = typeof event === 'object' && event !== null && 'id' in event
    return hasId && typeof event.id === 'string' ? event.id : null
  } catch {
    return null
  }
}
