import { Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useCan } from '../../lib/session.ts'
import { type Client, clientOf } from './trader-names.ts'
import type { Trader } from './traders.api.ts'

type TraderRecordsProps = {
  trader: Trader
  /** The button that opens the form; a deleted client gets no new records. */
  add: string
  icon?: ReactNode
  form: (client: Client, close: () => void) => ReactNode
  /** The list itself. */
  children: ReactNode
}

/** The records of one kind that one client has, with the form that adds to them. */
export const TraderRecords = ({ trader, add, icon = <IconPlus size={16} />, form, children }: TraderRecordsProps) => {
  const can = useCan()
  const [opened, { open, close }] = useDisclosure()
  return (
    <Stack gap="sm">
      <Group justify="flex-end">
        {can('operator') && trader.deletedAt === null && (
          <Button leftSection={icon} onClick={open}>
            {add}
          </Button>
        )}
      </Group>
      {children}
      {opened && form(clientOf(trader), close)}
    </Stack>
  )
}
