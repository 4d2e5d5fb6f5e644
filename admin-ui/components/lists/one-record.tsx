import { Modal } from '@mantine/core'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Resource } from '../../lib/api/stale-queries.ts'
import { say } from '../../lib/text/words.ts'
import { Loaded } from '../page/loaded.tsx'
import type { Asked } from './list-acts.tsx'

/** Returns what ends the choice of rows that were decided by the form of a single record. */
export const settleAll =
  <T extends { id: string }>({ rows, settle }: Asked<T>) =>
  (): void =>
    settle(rows.map(({ id }) => ({ id, ok: true })))

/** Reads the record of a row for the form that decides it; what was read for an earlier one may be out of date. */
export const useRowRecord = <T,>(resource: Resource, id: string, read: (id: string) => Promise<T>) =>
  useQuery({ queryKey: [resource, 'decided', id], queryFn: () => read(id), gcTime: 0 })

type OneRecordProps<T> = {
  query: UseQueryResult<T>
  title: string
  onClose: () => void
  children: (record: T) => ReactNode
}

/** Shows the form for one record of a list once the record is read; until then, or if it fails, a dialog says so. */
export const OneRecord = <T,>({ query, title, onClose, children }: OneRecordProps<T>) =>
  query.data === undefined ? (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': say('common.close') }}>
      <Loaded query={query}>{() => null}</Loaded>
    </Modal>
  ) : (
    children(query.data)
  )
