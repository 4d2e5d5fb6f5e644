import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { notifyFailure, notifyUnderWay } from '../api/notify.tsx'
import { setWidePages } from '../api/page-size.ts'
import { say } from '../text/words.ts'
import { listCutLists, measurePart, type PagedList, type Part } from './paper-lists.ts'

/** About this many rows of a list are read to be printed; the paper says that they are the first ones. */
export const MOST_PRINTED = 2_000
/** An act of the reader or news from the server can end the reading of a page, which is then read again. */
const TRIES = 3

type Run = { isCancelled: boolean; tell: (part: Part) => void }

/** Reads the further rows of a list; returns whether that went well. */
async function readOn(list: PagedList, run: Run): Promise<boolean> {
  let known = measurePart(list)
  for (let tries = 0; known.hasMore && known.shown < MOST_PRINTED; ) {
    const next = await list.fetchNextPage()
    if (run.isCancelled) return false
    const now = measurePart(next)
    tries = now.shown > known.shown ? 0 : tries + 1
    if (next.isError || tries === TRIES) return false
    known = now
    run.tell(known)
  }
  return true
}

/** Waits until nothing is being read any more, such as the balances of the rows that came. */
const waitForValues = (client: QueryClient): Promise<void> =>
  new Promise((done) => {
    if (client.isFetching() === 0) return done()
    const stop = client.getQueryCache().subscribe(() => {
      if (client.isFetching() > 0) return
      stop()
      done()
    })
  })

const waitForDrawing = (): Promise<void> =>
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))

const tellProgress = ({ shown, total, isMinimum }: Part): string =>
  total === undefined || isMinimum
    ? say('lists.print.reading', { count: shown })
    : say('lists.print.reading_of', { count: shown, total })

let isPrinting = false

/** Reads all rows of the page's lists, up to a limit, and prints the page. The reader can stop the reading. */
async function printPage(client: QueryClient): Promise<void> {
  const [first, ...others] = listCutLists()
  if (isPrinting) return
  if (!first) return window.print()
  isPrinting = true
  setWidePages(true)
  const run: Run = { isCancelled: false, tell: (part) => notice.tell(tellProgress(part)) }
  const notice = notifyUnderWay(tellProgress(measurePart(first)), () => {
    run.isCancelled = true
  })
  let isWhole = true
  try {
    for (const list of [first, ...others]) isWhole = isWhole && (await readOn(list, run))
    if (isWhole) {
      await waitForValues(client)
      await waitForDrawing()
    }
  } catch {
    isWhole = false
  }
  setWidePages(false)
  isPrinting = false
  // hiding the notice calls its cancel as well
  const { isCancelled } = run
  notice.hide()
  if (isCancelled) return
  if (isWhole) window.print()
  else notifyFailure(say('lists.print.failed'))
}

/** Returns the act that prints the page with all its rows. */
export function usePrint(): () => void {
  const client = useQueryClient()
  return () => void printPage(client)
}

/** Ctrl-P prints all rows, too. If they are all there, the browser prints by itself. */
export function usePrintKey(): void {
  const client = useQueryClient()
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      if (event.key.toLowerCase() !== 'p' || (!isPrinting && listCutLists().length === 0)) return
      event.preventDefault()
      if (!event.repeat) void printPage(client)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [client])
}
