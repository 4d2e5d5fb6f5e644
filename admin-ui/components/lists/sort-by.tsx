import { ActionIcon, Menu, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconSortAscending, IconSortDescending } from '@tabler/icons-react'
import { say } from '../../lib/text/words.ts'
import type { Direction, Sorting } from './sort-head.tsx'

type Sortable = { key: string; title: string; sort?: string; unsorted?: string; upFirst?: boolean }
type SortByProps = { columns: readonly Sortable[]; sorting: Sorting }

/**
 * Chooses the order of a list whose rows are cards: it offers what the heads of the columns do in a table. The menu
 * stays open for the direction.
 */
export const SortBy = ({ columns, sorting }: SortByProps) => {
  const offered = columns.filter(({ sort, unsorted }) => sort !== undefined || unsorted !== undefined)
  if (offered.length === 0) return null
  const now = findSorted(offered, sorting)
  const Icon = now?.direction === 'ascending' ? IconSortAscending : IconSortDescending
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon
          size="lg"
          aria-label={
            now
              ? say('lists.sort_by_now', { column: now.column.title, direction: now.direction })
              : say('lists.sort_by')
          }
        >
          <Icon size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
        <Menu.Label>{say('lists.sort_by')}</Menu.Label>
        <Menu.RadioGroup
          value={now?.column.key ?? ''}
          onChange={(key) => {
            const column = offered.find((one) => one.key === key)
            if (column && column !== now?.column) sorting.by(column)
          }}
        >
          {offered.map(({ key, title, sort, unsorted }) => (
            <Menu.RadioItem key={key} value={key} disabled={sort === undefined}>
              {title}
              {sort === undefined && (
                <Text size="xs" c="dimmed">
                  {unsorted}
                </Text>
              )}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        {now && <Directions {...now} sorting={sorting} />}
      </Menu.Dropdown>
    </Menu>
  )
}

type Sorted = { column: Sortable; direction: Direction }

/** Returns the column by which the list is sorted; a list may have an order that no column shows. */
function findSorted(columns: readonly Sortable[], sorting: Sorting): Sorted | null {
  for (const column of columns) {
    const direction = sorting.of(column)
    if (direction === 'ascending' || direction === 'descending') return { column, direction }
  }
  return null
}

const Directions = ({ column, direction, sorting }: Sorted & { sorting: Sorting }) => (
  <>
    <Menu.Divider />
    <Menu.RadioGroup
      value={direction}
      onChange={(value) => sorting.to(column, value === 'ascending' ? value : 'descending')}
    >
      <Menu.RadioItem value="ascending" closeMenuOnClick rightSection={<IconArrowUp size={14} aria-hidden />}>
        {say('lists.sort_up')}
      </Menu.RadioItem>
      <Menu.RadioItem value="descending" closeMenuOnClick rightSection={<IconArrowDown size={14} aria-hidden />}>
        {say('lists.sort_down')}
      </Menu.RadioItem>
    </Menu.RadioGroup>
  </>
)
