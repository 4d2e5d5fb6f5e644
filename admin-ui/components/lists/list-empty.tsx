import { Button, Skeleton, Stack } from '@mantine/core'
import { say } from '../../lib/text/words.ts'
import { EmptyState } from '../page/empty-state.tsx'

/** Replaces the rows until they arrive. */
export const ListSkeleton = () => (
  <Stack gap={14} p="md" role="progressbar" aria-label={say('lists.loading')}>
    {['92%', '78%', '86%', '70%', '88%', '74%', '82%', '66%'].map((width) => (
      <Skeleton key={width} height={14} width={width} radius="sm" />
    ))}
  </Stack>
)

/** The text is long enough to be recognised, and short enough for a phone. */
const SHOWN = 60

/** Describes a value in the address that a list does not know. Any search is valid, except a too long one. */
export const wrongPart = ({ key, label }: { key: string; label: string }, value: string): string =>
  say(key === 'q' ? 'lists.wrong_long' : 'lists.wrong_part', {
    label,
    value: value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value,
  })

/** Explains an address with values that this list does not know. */
export const WrongAddress = ({ parts, onDrop }: { parts: string[]; onDrop: () => void }) => (
  <EmptyState
    title={say('lists.wrong_address')}
    action={
      <Button variant="default" size="xs" onClick={onDrop}>
        {say('lists.wrong_drop', { count: parts.length })}
      </Button>
    }
  >
    <span className="wrong-address">{parts.join(', ')}</span>
  </EmptyState>
)

/** Explains that search and filters match no row, or, if `isPart`, none of those that were searched. */
export const NoMatch = ({ onClear, isPart }: { onClear: () => void; isPart: boolean }) => (
  <EmptyState
    title={say('lists.nothing_matches')}
    action={
      <Button variant="default" size="xs" onClick={onClear}>
        {say('lists.clear_all')}
      </Button>
    }
  >
    {say(isPart ? 'lists.nothing_found_yet' : 'lists.nothing_matches_text')}
  </EmptyState>
)
