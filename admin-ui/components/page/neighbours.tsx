import { ActionIcon, Group, Text, Tooltip } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Place, Way } from '../../lib/lists/use-beside.ts'
import { useScreenKeys } from '../../lib/screen/screen-keys.ts'
import { say } from '../../lib/text/words.ts'

type NeighboursProps = {
  place: Place
  /** The direction in which the reader came here; its button gets the focus again. */
  cameBy?: Way | null
}

/** Shows “3 of 24”, and opens the previous or next record of the list, by buttons and by K and J. */
export const Neighbours = ({ place, cameBy = null }: NeighboursProps) => {
  const { at, of, isMore, previous, next, go } = place
  const turn = (to: Way): void => {
    if (place[to] !== null) go(to)
  }
  const does = say('lists.keys.neighbours')
  useScreenKeys([
    { key: 'j', does, act: () => turn('next') },
    { key: 'k', does, act: () => turn('previous') },
  ])
  const last = next === null && !isMore
  return (
    <Group gap={2} wrap="nowrap" className="neighbours">
      <Text size="sm" c="dimmed" mr={6}>
        {say(isMore ? 'lists.place_more' : 'lists.place', { at, of })}
      </Text>
      <NeighbourButton
        label={say('lists.previous')}
        off={previous === null}
        focus={cameBy === 'previous'}
        act={() => go('previous')}
      >
        <IconChevronUp size={16} />
      </NeighbourButton>
      <NeighbourButton
        label={last ? say('lists.last') : say('lists.next')}
        off={next === null}
        focus={cameBy === 'next'}
        act={() => go('next')}
      >
        <IconChevronDown size={16} />
      </NeighbourButton>
    </Group>
  )
}

type NeighbourButtonProps = { label: string; off: boolean; focus: boolean; act: () => void; children: ReactNode }

/** A button to a neighbour. If there is none, the button keeps the focus and its label, which says why. */
const NeighbourButton = ({ label, off, focus, act, children }: NeighbourButtonProps) => (
  <Tooltip label={label}>
    <ActionIcon
      size="sm"
      aria-label={label}
      {...(off && { 'data-disabled': true, 'aria-disabled': true })}
      {...(off && !focus && { tabIndex: -1 })}
      {...(focus && { 'data-autofocus': true })}
      onClick={() => {
        if (!off) act()
      }}
    >
      {children}
    </ActionIcon>
  </Tooltip>
)
