import { Button, Tooltip } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useScreenKeys } from '../../lib/screen/screen-keys.ts'
import { say } from '../../lib/text/words.ts'

type NewButtonProps = { onClick: () => void; icon?: ReactNode; children: string }

/** The button that opens the form for a new record; N does the same. */
export const NewButton = ({ onClick, icon = <IconPlus size={16} />, children }: NewButtonProps) => {
  useScreenKeys([{ key: 'n', does: children, act: onClick }])
  return (
    <Tooltip label={say('lists.keys.new')} openDelay={600}>
      <Button leftSection={icon} onClick={onClick} aria-keyshortcuts="N">
        {children}
      </Button>
    </Tooltip>
  )
}
