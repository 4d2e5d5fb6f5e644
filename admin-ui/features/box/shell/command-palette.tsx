import { ActionIcon, Kbd, UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import {
  createSpotlight,
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
  useSpotlight,
} from '@mantine/spotlight'
import { IconBolt, IconClock, IconHelp, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { atLeast } from '../../../lib/api/session.ts'
import { openHelp } from '../../../lib/screen/help.ts'
import { NAVIGATION, type NavItem } from '../../../lib/screen/nav.ts'
import { listPageActs } from '../../../lib/screen/page-acts.ts'
import { readRecent } from '../../../lib/screen/recent-records.ts'
import { say } from '../../../lib/text/words.ts'
import type { Me } from '../../firm/auth/auth.api.ts'
import { useSignOut } from '../../firm/auth/use-sign-out.ts'
import { listCommands } from '../../overview/search/commands.tsx'
import { type Hit, searchEverything } from '../../overview/search/search.api.ts'

const [store, palette] = createSpotlight()

/** Opens the command palette from the side bar. */
export const SearchButton = () => (
  <UnstyledButton className="search-button" onClick={palette.open}>
    <IconSearch size={16} stroke={1.7} />
    <span>{say('shell.search')}</span>
    <Kbd size="xs">{/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : `${say('palette.key.ctrl')} K`}</Kbd>
  </UnstyledButton>
)

/** Opens the command palette from the header of a phone, where the side bar is hidden. */
export const SearchIcon = () => (
  <ActionIcon size="lg" onClick={palette.open} aria-label={say('shell.search')}>
    <IconSearch size={20} stroke={1.7} />
  </ActionIcon>
)

const PAGES = NAVIGATION.flatMap(({ items }) => items)
/** Maps the kinds of hits to the pages whose icons they have. */
const LISTS: Record<Hit['kind'], string> = {
  trader: '/traders',
  account: '/accounts',
  deposit: '/deposits',
  withdrawal: '/withdrawals',
  ticket: '/support',
  lead: '/leads',
  affiliate: '/affiliates',
  user: '/users',
}
const renderIcon = (Icon: NavItem['icon']) => <Icon size={18} stroke={1.7} />
const renderPageIcon = (to: string) => renderIcon(PAGES.find((page) => page.to === to)?.icon ?? IconClock)

/** Marks the first entry, so that Enter opens it: Spotlight marks none when hits arrive. */
const markFirst = (): void => {
  const list = document.getElementById(store.getState().listId)
  for (const marked of list?.querySelectorAll('[data-selected]') ?? []) marked.removeAttribute('data-selected')
  const first = list?.querySelector('[data-action]')
  first?.setAttribute('data-selected', 'true')
  store.updateState((state) => ({ ...state, selected: first ? 0 : -1 }))
}

/** Lists what the palette offers without a search: pages by name, and the commands of the role. */
function useOffers(me: Me, isView: boolean, showKeys: () => void): SpotlightActionGroupData[] {
  const navigate = useNavigate()
  const { setColorScheme } = useMantineColorScheme()
  const dark = useComputedColorScheme() === 'dark'
  const signOut = useSignOut()
  const commands = listCommands(
    me.role,
    { dark, isView },
    {
      go: (to, search = {}) => void navigate({ to, search }),
      showKeys,
      toggleScheme: () => setColorScheme(dark ? 'light' : 'dark'),
      signOut,
    },
  )
  return [
    {
      group: say('palette.group.commands'),
      actions: commands.map(({ id, label, also, icon, run }) => ({
        id,
        label,
        ...(also !== undefined && { keywords: also }),
        leftSection: renderIcon(icon),
        onClick: run,
      })),
    },
    {
      group: say('palette.group.pages'),
      actions: PAGES.filter(({ least }) => atLeast(me.role, least)).map(({ to, label, icon }) => ({
        id: to,
        label,
        leftSection: renderIcon(icon),
        onClick: () => void navigate({ to }),
      })),
    },
  ]
}

/** Lists the acts of the open page: the first ones without a search, all that fit with one. */
function useActs(opened: boolean, wanted: string): SpotlightActionGroupData {
  const [acts, setActs] = useState<ReturnType<typeof listPageActs>>([])
  useEffect(() => setActs(opened ? listPageActs() : []), [opened])
  const fit = acts.filter(({ label }) => label.toLowerCase().includes(wanted))
  return {
    group: say('palette.group.acts'),
    actions: (wanted === '' ? fit.slice(0, MOST_ACTS) : fit).map(({ label, run }) => ({
      id: `act ${label}`,
      label,
      leftSection: renderIcon(IconBolt),
      onClick: run,
    })),
  }
}

/** Without a search this many acts are offered, so that commands and pages stay in sight. */
const MOST_ACTS = 5

/** Lists the parts of pages whose name has the typed text; the first search loads them. */
function useMorePages(role: Me['role'], wanted: string): SpotlightActionData[] {
  const navigate = useNavigate()
  const more = useQuery({
    queryKey: ['palette', 'pages'],
    queryFn: async () => (await import('../../overview/search/more-pages.ts')).MORE_PAGES,
    enabled: wanted.length >= 2,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const fit = (wanted.length >= 2 ? (more.data ?? []) : []).filter(
    ({ label, least }) => atLeast(role, least) && label.toLowerCase().includes(wanted),
  )
  return fit.map(({ id, label, to, search }) => ({
    id,
    label,
    leftSection: renderPageIcon(to),
    onClick: () => void navigate({ to, search }),
  }))
}

/** Returns what the server finds for the typed text, and whether it is still searching. */
function useHits(typed: string): { hits: SpotlightActionGroupData[]; isSearching: boolean } {
  const navigate = useNavigate()
  const words = typed.trim()
  const [asked] = useDebouncedValue(words, 180)
  const found = useQuery({
    queryKey: ['search', asked],
    queryFn: () => searchEverything(asked),
    enabled: asked.length >= 2,
  })
  // The hits of an earlier text must not be opened by an Enter that is meant for this one.
  const current = asked === words && asked.length >= 2
  const hits = (current ? (found.data ?? []) : []).map(({ kind, group, items }) => ({
    group,
    actions: items.map(
      ({ id, label, description, to, search }): SpotlightActionData => ({
        id,
        label,
        ...(description && { description }),
        leftSection: renderPageIcon(LISTS[kind]),
        onClick: () => void navigate({ to, search }),
      }),
    ),
  }))
  return { hits, isSearching: found.isFetching || (words.length >= 2 && !current) }
}

/** Lists the help entries whose word or explanation has the typed text; the first search loads the explanations. */
function useHelp(typed: string): SpotlightActionGroupData[] {
  const wanted = typed.toLowerCase()
  const explained = useQuery({
    queryKey: ['help'],
    queryFn: async () => (await import('../../overview/help/help-terms.ts')).EXPLAINED,
    enabled: wanted.length >= 3,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const found = (wanted.length >= 3 ? (explained.data ?? []) : []).filter(({ label, description }) =>
    `${label} ${description}`.toLowerCase().includes(wanted),
  )
  return [
    {
      group: say('palette.group.help'),
      actions: found.slice(0, MOST_HELP).map(({ term, label, description }) => ({
        id: `help ${term}`,
        label,
        description,
        leftSection: renderIcon(IconHelp),
        onClick: () => openHelp(term),
      })),
    },
  ]
}

/** At most this many words are offered, so that pages and people stay in sight. */
const MOST_HELP = 4

/** Lists the records that this person opened last. */
const buildRecentGroup = (userId: string, go: (to: string) => void): SpotlightActionGroupData => ({
  group: say('palette.group.recent'),
  actions: readRecent(userId).map(({ to, label, list }) => ({
    id: `recent ${to}`,
    label,
    description: list,
    leftSection: renderPageIcon(`/${to.split('/')[1]}`),
    onClick: () => go(to),
  })),
})

/**
 * Passes on what is typed after Ctrl-K before the field has the focus; otherwise it would be lost, or act as a
 * shortcut.
 */
function useTypedAhead(type: (change: (text: string) => string) => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, target } = event
      const isField = target instanceof HTMLElement && target.closest('.mantine-Spotlight-search') !== null
      if (!store.getState().opened || isField || event.ctrlKey || event.metaKey || event.altKey) return
      if (key.length !== 1 && key !== 'Backspace') return
      event.preventDefault()
      event.stopImmediatePropagation()
      type((text) => (key === 'Backspace' ? text.slice(0, -1) : text + key))
    }
    window.addEventListener('keydown', press, true)
    return () => window.removeEventListener('keydown', press, true)
  }, [type])
}

/** Returns whether the typed text is in the name of an entry or in the other words for it. */
const fits = ({ label = '', keywords = '' }: SpotlightActionData, wanted: string): boolean =>
  [label, ...[keywords].flat()].some((words) => words.toLowerCase().includes(wanted))

/** Opens with Ctrl-K: it lists recent records, commands and pages at once, and hits once two letters are typed. */
export const CommandPalette = ({ me, isView, showKeys }: { me: Me; isView: boolean; showKeys: () => void }) => {
  const navigate = useNavigate()
  const offers = useOffers(me, isView, showKeys)
  const { opened } = useSpotlight(store)
  const [query, setQuery] = useState('')
  useTypedAhead(setQuery)
  const typed = query.trim()
  const wanted = typed.toLowerCase()
  const { hits, isSearching } = useHits(typed)
  const help = useHelp(typed)
  const acts = useActs(opened, wanted)
  const more = useMorePages(me.role, wanted)
  const recent = opened && typed === '' ? [buildRecentGroup(me.id, (to) => void navigate({ to }))] : []
  // What the open page offers is not offered a second time as a command.
  const offered = new Set(acts.actions.map(({ label }) => label))
  const named = offers.map(({ group, actions }) => ({
    group,
    actions: [
      ...actions.filter((action) => fits(action, wanted) && !offered.has(action.label)),
      ...(group === say('palette.group.pages') ? more : []),
    ],
  }))
  const shown = [...recent, acts, ...hits, ...named, ...help].filter(({ actions }) => actions.length > 0)
  const ids = shown.flatMap(({ actions }) => actions.map(({ id }) => id)).join(' ')
  useEffect(() => {
    if (!opened || ids === '') return
    // The list is drawn a moment after the palette.
    const frame = requestAnimationFrame(markFirst)
    return () => cancelAnimationFrame(frame)
  }, [opened, ids])
  return (
    <Spotlight
      store={store}
      actions={shown}
      query={query}
      onQueryChange={setQuery}
      // The server has searched already, so its hits must not be filtered by label again.
      filter={(_query, actions) => actions}
      shortcut={['mod + K']}
      scrollable
      // The position is fixed, so that the field does not jump when the number of hits changes.
      centered={false}
      yOffset="12vh"
      transitionProps={{ duration: 0 }}
      overlayProps={{ blur: 0, backgroundOpacity: 0.35 }}
      maxHeight="60vh"
      attributes={{ content: { 'aria-label': say('palette.title') } }}
      nothingFound={say(isSearching ? 'palette.searching' : 'palette.nothing')}
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.7} />,
        placeholder: say('palette.placeholder'),
        'aria-label': say('palette.placeholder'),
      }}
    />
  )
}
