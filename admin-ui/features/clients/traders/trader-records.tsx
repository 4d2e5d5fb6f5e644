import { Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useCan } from '../../../lib/api/session.ts'
import type { ClientAct } from './client-tab.ts'
import { toClient } from './trader-names.ts'
import type { Trader } from './traders.api.ts'

type TraderRecordsProps = {
  trader: Trader
  /** What adds to the list, unless the head of the page has it; a deleted client gets no new records. */
  act: ClientAct
  /** The list itself. */
  children: ReactNode
}

/** The records of one kind that one client has, with the form that adds to them. */
export const TraderRecords = ({ trader, act, children }: TraderRecordsProps) => {
  const can = useCan()
  const [opened, { open, close }] = useDisclosure()
  return (
    <Stack gap="sm">
      {!act.first && can('operator') && trader.deletedAt === null && (
        <Group justify="flex-end">
          <Button leftSection={act.icon} onClick={open}>
            {act.label}
          </Button>
        </Group>
      )}
      {children}
      {opened && act.form(toClient(trader), close)}
    </Stack>
  )
}
