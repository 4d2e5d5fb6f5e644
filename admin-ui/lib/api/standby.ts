import { useSyncExternalStore } from 'react'

/** What the last answer said: it came from a standby, whose copy was that old, and another server takes changes. */
export type StandbySaid = { ageSeconds: number; primary: string }

let said: StandbySaid | null = null
const listeners = new Set<() => void>()

/** Notes whether an answer came from a standby. */
export const noteStandby = (headers: Headers): void => {
  const isStandby = headers.get('x-crm-role') === 'standby'
  const ageSeconds = Number(headers.get('x-crm-age') ?? 0)
  const primary = headers.get('x-crm-primary') ?? ''
  if (!isStandby && said === null) return
  if (isStandby && said?.ageSeconds === ageSeconds && said.primary === primary) return
  said = isStandby ? { ageSeconds, primary } : null
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns what the last answer said of a standby; null if it came from the server that takes changes. */
export const useStandby = (): StandbySaid | null => useSyncExternalStore(subscribe, () => said)
