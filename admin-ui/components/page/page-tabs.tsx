import { Tabs } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useSearchParams } from '../../lib/lists/search-params.ts'

/** The number of records behind a tab, with a label for readers who do not see the colour of waiting ones. */
export type TabCount = { text: string; label: string; isWaiting: boolean }

/** A tab: its name in the address and its label; the page adds what is behind them. */
type Tab<K extends string> = readonly [key: K, label: string, ...rest: unknown[]]

/** Returns the tab that the address names; `first` is open if it names none. */
export const useOpenTab = <K extends string>(tabs: readonly Tab<K>[], first: K): K => {
  const [search] = useSearchParams()
  return tabs.find(([key]) => key === search.tab)?.[0] ?? first
}

type PageTabsProps<K extends string> = {
  tabs: readonly Tab<K>[]
  first: K
  panels: Record<K, ReactNode>
  /**
   * Parameters of the address that stay when the tab changes; others are dropped, since one list's filters mean nothing
   * to the next.
   */
  keep?: readonly string[]
  /** The counts beside the labels. */
  counts?: Partial<Record<K, TabCount | undefined>>
}

/** Draws the tabs of a page. The open one is in the address, so that it can be linked to. */
export const PageTabs = <K extends string>({ tabs, first, panels, keep = [], counts }: PageTabsProps<K>) => {
  const [search, setSearch] = useSearchParams()
  const open = useOpenTab(tabs, first)
  const list = useRef<HTMLDivElement>(null)
  // A phone shows three or four tabs: the open one is scrolled into view, and the page stays in place.
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>(`[data-tab="${open}"]`)
    if (list.current && tab) list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.clientWidth) / 2
  }, [open])
  const show = (next: string | null): void => {
    const dropped = Object.keys(search).filter((key) => !keep.includes(key))
    setSearch({
      ...Object.fromEntries(dropped.map((key) => [key, undefined])),
      tab: next && next !== first ? next : undefined,
    })
  }
  return (
    <Tabs value={open} onChange={show} keepMounted={false} className="tabs">
      <Tabs.List mb="md" ref={list}>
        {tabs.map(([key, label]) => (
          <Tabs.Tab key={key} value={key} data-tab={key}>
            {label}
            <Count count={counts?.[key]} />
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={open}>{panels[open]}</Tabs.Panel>
    </Tabs>
  )
}

const Count = ({ count }: { count: TabCount | undefined }) =>
  count && (
    <span className="tab-count" data-waiting={count.isWaiting || undefined} title={count.label}>
      {count.text}
    </span>
  )
