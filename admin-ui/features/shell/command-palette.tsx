import { Kbd, UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight'
import { IconBook, IconMoon, IconSearch, IconShieldLock, IconSun } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { NAVIGATION } from '../../lib/nav.ts'
import { atLeast, type Role } from '../../lib/session.ts'
import { searchEverything } from '../search/search.api.ts'

/** Opens the command palette from the side bar. */
export const SearchButton = () => (
  <UnstyledButton className="search-button" onClick={spotlight.open}>
    <IconSearch size={16} stroke={1.7} />
    <span>Search</span>
    <Kbd size="xs">{/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}</Kbd>
  </UnstyledButton>
)

/** Ctrl-K: pages by name at once, records from the server as soon as two letters are typed. */
export const CommandPalette = ({ role }: { role: Role | null }) => {
  const navigate = useNavigate()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme()
  const [query, setQuery] = useState('')
  const [asked] = useDebouncedValue(query.trim(), 180)
  const found = useQuery({
    queryKey: ['search', asked],
    queryFn: () => searchEverything(asked),
    enabled: asked.length >= 2,
  })
  const typed = query.trim()
  const wanted = typed.toLowerCase()
  // What was found for other words must not be opened by an Enter that is meant for these.
  const current = asked === typed && asked.length >= 2
  const pages: SpotlightActionGroupData = {
    group: 'Pages',
    actions: NAVIGATION.flatMap(({ items }) => items)
      .filter(({ least, label }) => atLeast(role, least) && label.toLowerCase().includes(wanted))
      .map(({ to, label, icon: Icon }) => ({
        id: to,
        label,
        leftSection: <Icon size={18} stroke={1.7} />,
        onClick: () => void navigate({ to }),
      })),
  }
  const commands: SpotlightActionGroupData = {
    group: 'Commands',
    actions: [
      {
        id: 'security',
        label: 'Security and sessions',
        leftSection: <IconShieldLock size={18} stroke={1.7} />,
        onClick: () => void navigate({ to: '/security' }),
      },
      {
        id: 'explorer',
        label: 'API explorer',
        leftSection: <IconBook size={18} stroke={1.7} />,
        onClick: () => void window.open('/docs', '_blank', 'noopener'),
      },
      {
        id: 'scheme',
        label: scheme === 'dark' ? 'Light appearance' : 'Dark appearance',
        leftSection: scheme === 'dark' ? <IconSun size={18} stroke={1.7} /> : <IconMoon size={18} stroke={1.7} />,
        onClick: () => setColorScheme(scheme === 'dark' ? 'light' : 'dark'),
      },
    ].filter(({ label }) => label.toLowerCase().includes(wanted)),
  }
  const hits = current ? (found.data ?? []) : []
  const records: SpotlightActionGroupData[] = hits.map(({ group, items }) => ({
    group,
    actions: items.map(
      ({ id, label, description, to, search }): SpotlightActionData => ({
        id,
        label,
        ...(description && { description }),
        onClick: () => void navigate({ to, search }),
      }),
    ),
  }))
  return (
    <Spotlight
      actions={[...records, pages, commands].filter(({ actions }) => actions.length > 0)}
      query={query}
      onQueryChange={setQuery}
      // The server has searched already; what it found must not be filtered again by label.
      filter={(_query, actions) => actions}
      shortcut={['mod + K']}
      scrollable
      overlayProps={{ blur: 0, backgroundOpacity: 0.35 }}
      maxHeight={420}
      attributes={{ content: { 'aria-label': 'Search and commands' } }}
      nothingFound={found.isFetching || (typed.length >= 2 && !current) ? 'Searching…' : 'Nothing found'}
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.7} />,
        placeholder: 'Search people, numbers and pages',
        'aria-label': 'Search people, numbers and pages',
      }}
    />
  )
}
