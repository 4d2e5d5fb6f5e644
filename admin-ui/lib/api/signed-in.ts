/** Who is signed in in this browser: its tabs share one session. */
export type Person = { id: string; displayName: string }

const CHANNEL = 'brokerbase-signed-in'

const isPerson = (value: unknown): value is Person =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  'displayName' in value &&
  typeof value.id === 'string' &&
  typeof value.displayName === 'string'

/** Tells the other tabs who is signed in now; null when nobody is any more. */
export const tellTabs = (person: Person | null): void => {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(person && { id: person.id, displayName: person.displayName })
  channel.close()
}

/** Hears what other tabs tell, until the returned function is called. */
export const hearTabs = (hear: (person: Person | null) => void): (() => void) => {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => hear(isPerson(data) ? data : null))
  return () => channel.close()
}
