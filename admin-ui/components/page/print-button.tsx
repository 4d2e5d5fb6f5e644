import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { MOST_PRINTED, usePrint } from '../../lib/screen/print-page.ts'
import { say } from '../../lib/text/words.ts'

/** Prints the page with all rows of its lists: a small button of a list's tools, or one with its word. */
export const PrintButton = ({ isSmall = false }: { isSmall?: boolean }) => {
  const print = usePrint()
  return (
    <Tooltip label={say('lists.print.about', { most: MOST_PRINTED })}>
      {isSmall ? (
        <ActionIcon size="lg" aria-label={say('lists.print')} aria-keyshortcuts="Control+P" onClick={print}>
          <IconPrinter size={18} />
        </ActionIcon>
      ) : (
        <Button variant="default" leftSection={<IconPrinter size={16} />} aria-keyshortcuts="Control+P" onClick={print}>
          {say('lists.print')}
        </Button>
      )}
    </Tooltip>
  )
}
