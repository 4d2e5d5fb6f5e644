import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { buildUrl } from '../../../api.ts'
import { staleAfter } from '../../../lib/api/stale-queries.ts'
import { currentView } from '../../../lib/api/viewed-person.ts'
import { CHANGED, type Summary, summaryQuery } from './summary.ts'

const POLL = 30_000

const isSummary = (value: unknown): value is Summary =>
  typeof value === 'object' && value !== null && 'pendingKyc' in value && 'openTickets' in value

const parse = (text: string): Summary | null => {
  try {
    const value: unknown = JSON.parse(text)
    return isSummary(value) ? value : null
  } catch {
    return null
  }
}

/** Lists the query keys that are stale because a count has changed; the counts themselves are current already. */
const changed = (before: Summary, after: Summary): string[] => {
  const of = (summary: Summary, key: string) => Object.entries(summary).find(([count]) => count === key)?.[1]
  const resources = Object.entries(CHANGED).flatMap(([key, resource]) =>
    of(before, key) === of(after, key) ? [] : [resource],
  )
  return [...staleAfter(...resources)].filter((name) => name !== summaryQuery.queryKey[0])
}

/**
 * Keeps the counts, and the lists behind them, current by server-sent events. The browser reconnects after an error;
 * while there is no connection, or the server refuses one, the counts are read every 30 seconds. A hidden tab has no
 * connection, because a browser opens only a few to one server.
 */
export const useLive = (): void => {
  const client = useQueryClient()
  useEffect(() => {
    let source: EventSource | null = null
    const renew = (before: Summary | undefined, after: Summary | undefined): void => {
      if (!before || !after) return
      for (const resource of changed(before, after)) void client.invalidateQueries({ queryKey: [resource] })
    }
    const ask = async (): Promise<void> => {
      const before = client.getQueryData(summaryQuery.queryKey)
      await client.invalidateQueries({ queryKey: summaryQuery.queryKey })
      renew(before, client.getQueryData(summaryQuery.queryKey))
    }
    const take = (event: MessageEvent<string>): void => {
      const next = parse(event.data)
      if (!next) return
      const before = client.getQueryData(summaryQuery.queryKey)
      client.setQueryData(summaryQuery.queryKey, next)
      renew(before, next)
    }
    const close = (): void => {
      source?.close()
      source = null
    }
    const connect = (): void => {
      close()
      // A stream cannot carry the token of a view: it would bring the counts of the viewer instead.
      if (currentView()) return
      source = new EventSource(buildUrl('notifications.stream'))
      source.addEventListener('summary', take)
    }
    const look = (): void => {
      if (document.hidden) {
        close()
        return
      }
      if (source?.readyState === EventSource.OPEN) return
      void ask()
      // The browser stops for good when the server refuses; a connection that it still retries is left alone.
      if (!source || source.readyState === EventSource.CLOSED) connect()
    }
    connect()
    const timer = setInterval(look, POLL)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
      close()
    }
  }, [client])
}
