import { Button } from '@mantine/core'
import type { ReactNode } from 'react'

/** The next act on a row of a queue, which opens its dialog without a way over the record's page. */
export const RowAct = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <Button size="compact-xs" variant="light" className="row-act" onClick={onClick}>
    {children}
  </Button>
)
