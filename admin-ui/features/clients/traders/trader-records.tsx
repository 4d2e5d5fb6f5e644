import { Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useCan } from '../../../lib/api/session.ts'
import type { ClientAct } from './client-tab.ts'
import { toClient } from './trader-names.ts'
import type { Trader } from './traders.api.ts'

type TraderRecordsProps = {
  trader: Trader
  /** The action that adds a record. Its button is left out if the head of the page has it, or for a deleted client. */
  act: ClientAct
  children: ReactNode
}

/** Shows the records of one kind that a client has, with the form that adds to them. */
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
