import { Button } from '@mantine/core'
import type { ReactNode } from 'react'

/** A button for the next action on a row of a queue, which opens its dialog without the record's page. */
export const RowAct = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <Button size="compact-xs" variant="light" className="row-act" onClick={onClick}>
    {children}
  </Button>
)
