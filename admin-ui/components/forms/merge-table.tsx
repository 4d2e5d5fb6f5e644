import { Button, Group, SegmentedControl, Stack, Table, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { isConflict } from '../../lib/api/http.ts'
import { type Clash, findClashes, same, takeTheirs } from '../../lib/forms/merge-values.ts'
import { say, tell } from '../../lib/text/words.ts'
import { Loaded } from '../page/loaded.tsx'
import { When } from '../show/moment.tsx'
import { FormNotice, MERGES } from './form-modal.tsx'

/** A colleague's version of a record, in the form's own values. */
export type Theirs<V> = { values: V; version: number; who: string; at: string }

type MergeTableProps<V extends Record<string, unknown>> = {
  /** Names the record in the cache. */
  id: string
  /** The values with which the form was opened; `mine` are the present ones. */
  base: V
  mine: V
  load: () => Promise<Theirs<V>>
  /** Saves over the version that `load` returned. */
  save: (values: V, version: number) => Promise<void>
  /** Returns the name of a field; `show` prints its value. */
  getLabel: (path: string) => string
  show: (path: string, value: unknown) => string
}

type Side = 'mine' | 'theirs'

/** Shows a colleague's changes beside the reader's, field by field, and makes one version of both. */
export const MergeTable = <V extends Record<string, unknown>>({ id, load, ...props }: MergeTableProps<V>) => {
  // Each conflict is read anew: nothing of an earlier one may be shown here.
  const theirs = useQuery({ queryKey: ['merge', id], queryFn: load, gcTime: 0, staleTime: 0 })
  return <Loaded query={theirs}>{(data) => <Rows theirs={data} again={theirs.refetch} {...props} />}</Loaded>
}

type RowsProps<V extends Record<string, unknown>> = Omit<MergeTableProps<V>, 'id' | 'load'> & {
  theirs: Theirs<V>
  /** Reads the newest version once more. */
  again: () => Promise<unknown>
}

/** Holds for each field that differs which of the two values is kept. */
function useSides(clashes: readonly Clash[]) {
  // If a colleague changes a field once more, the reader has to choose again.
  const [chosen, setChosen] = useState<Record<string, { side: Side; theirs: unknown }>>({})
  const findSide = ({ path, both, theirs }: Clash): Side | null => {
    const made = chosen[path]
    if (made && same(made.theirs, theirs)) return made.side
    return both ? null : 'theirs'
  }
  return {
    findSide,
    choose: ({ path, theirs }: Clash, side: Side): void => setChosen({ ...chosen, [path]: { side, theirs } }),
    isOpen: clashes.some((clash) => findSide(clash) === null),
    taken: () => clashes.filter((clash) => findSide(clash) === 'theirs').map(({ path }) => path),
  }
}

const Rows = <V extends Record<string, unknown>>({ theirs, again, base, mine, save, getLabel, show }: RowsProps<V>) => {
  const clashes = findClashes(base, mine, theirs.values)
  const { findSide, choose, isOpen, taken } = useSides(clashes)
  const run = useMutation({
    ...MERGES,
    mutationFn: () => save(takeTheirs(mine, theirs.values, taken()), theirs.version),
    onError: (error) => (isConflict(error) ? again() : undefined),
  })
  const moved = isConflict(run.error)
  // The table is drawn below the fields of a long form, so it is scrolled into view.
  const table = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The notice around the table has a button at its end, which has to be in view, too.
    const notice = table.current?.closest('[role="alert"]') ?? table.current
    notice?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <Stack gap="sm" className="merge" ref={table}>
      <Text size="sm">{tell('parts.merge.about', { who: theirs.who, when: <When at={theirs.at} as="ago" /> })}</Text>
      <Table aria-label={say('parts.merge.label')} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{say('parts.field')}</Table.Th>
            <Table.Th>{say('parts.merge.yours')}</Table.Th>
            <Table.Th>{say('parts.merge.theirs')}</Table.Th>
            <Table.Th>{say('parts.merge.keep')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {clashes.map((clash) => (
            <ClashRow key={clash.path} {...{ clash, getLabel, show }} side={findSide(clash)} onChoose={choose} />
          ))}
          {clashes.length === 0 && (
            <Table.Tr>
              <Table.Td colSpan={4}>{say('parts.merge.no_clash')}</Table.Td>
            </Table.Tr>
          )}
        </Table.Tbody>
      </Table>
      {moved && (
        <Text size="sm" fw={600} role="alert">
          {say('parts.merge.again')}
        </Text>
      )}
      <FormNotice error={moved ? null : run.error} conflict={null} />
      <Group justify="flex-end">
        <Button disabled={isOpen} loading={run.isPending} onClick={() => run.mutate()}>
          {say('parts.merge.submit')}
        </Button>
      </Group>
    </Stack>
  )
}

type ClashRowProps = {
  clash: Clash
  getLabel: (path: string) => string
  show: (path: string, value: unknown) => string
  side: Side | null
  onChoose: (clash: Clash, side: Side) => void
}

/** Shows one field that differs, and which of its two values is kept. */
const ClashRow = ({ clash, getLabel, show, side, onChoose }: ClashRowProps) => (
  <Table.Tr>
    <Table.Th scope="row">{getLabel(clash.path)}</Table.Th>
    <Table.Td data-side={say('parts.merge.yours')}>{show(clash.path, clash.mine) || '—'}</Table.Td>
    <Table.Td data-side={say('parts.merge.theirs')}>{show(clash.path, clash.theirs) || '—'}</Table.Td>
    <Table.Td>
      <SegmentedControl
        size="xs"
        aria-label={say('parts.merge.keep_of', { field: getLabel(clash.path) })}
        data={[
          { value: 'mine', label: say('parts.merge.yours') },
          { value: 'theirs', label: say('parts.merge.theirs') },
        ]}
        value={side ?? ''}
        onChange={(to) => onChoose(clash, to === 'mine' ? 'mine' : 'theirs')}
      />
    </Table.Td>
  </Table.Tr>
)
