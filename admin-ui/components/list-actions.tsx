import { Button } from '@mantine/core'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** Opens the form for something new. */
export const NewButton = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <Button leftSection={<IconPlus size={16} />} onClick={onClick}>
    {children}
  </Button>
)

/** Downloads a list as it is filtered. */
export const ExportButton = ({ href }: { href: string }) => (
  <Button component="a" href={href} download variant="default" leftSection={<IconDownload size={16} />}>
    Export
  </Button>
)
