import { Button, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { say } from '../../lib/text/words.ts'

type ListBulkProps = { count: number; onClear: () => void; children: ReactNode }

/** Shows the actions on the chosen rows; it covers the foot of the list and moves nothing. */
export const ListBulk = ({ count, onClear, children }: ListBulkProps) => (
  <Paper className="bulk">
    <Text size="sm" fw={500}>
      {say('lists.selected', { count })}
    </Text>
    {children}
    <Button size="xs" variant="subtle" color="gray" onClick={onClear}>
      {say('lists.clear_selection')}
    </Button>
  </Paper>
)
