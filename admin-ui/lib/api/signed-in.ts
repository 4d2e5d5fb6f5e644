/** The user who is signed in in this browser, whose tabs share one session. */
export type Person = { id: string; displayName: string }

const CHANNEL = 'brokerbase-signed-in'

const isPerson = (value: unknown): value is Person =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  'displayName' in value &&
  typeof value.id === 'string' &&
  typeof value.displayName === 'string'

/** Reports to the other tabs who is signed in; null if no user is any more. */
export const tellTabs = (person: Person | null): void => {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(person && { id: person.id, displayName: person.displayName })
  channel.close()
}

/** Calls `hear` with the reports of other tabs, until the returned function is called. */
export const hearTabs = (hear: (person: Person | null) => void): (() => void) => {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => hear(isPerson(data) ? data : null))
  return () => channel.close()
}
