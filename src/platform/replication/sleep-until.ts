/** Sleeps for `ms` milliseconds, or until the signal aborts. Never rejects. */
export async function sleepUntil(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const wake = (): void => resolve()
  const timer = setTimeout(wake, ms)
  signal.addEventListener('abort', wake, { once: true })
  await promise
  clearTimeout(timer)
  signal.removeEventListener('abort', wake)
}
