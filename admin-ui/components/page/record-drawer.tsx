import { ActionIcon, Drawer, type DrawerProps, Tooltip } from '@mantine/core'
import { IconArrowUpRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useContext } from 'react'
import { BesideContext, useBeside } from '../../lib/lists/use-beside.ts'
import { DialogDepth } from '../../lib/screen/dialog-depth.ts'
import { askGuards } from '../../lib/screen/open-guards.ts'
import { say } from '../../lib/text/words.ts'
import { Neighbours } from './neighbours.tsx'

type RecordDrawerProps = Pick<DrawerProps, 'opened' | 'onClose' | 'title' | 'size' | 'children' | 'closeButtonProps'>

/**
 * Draws a drawer. For a row of a list it shows the row's place, buttons to its neighbours and a link to its page; a
 * form inside asks before such a button drops typed text.
 */
export const RecordDrawer = ({ title, children, closeButtonProps, ...root }: RecordDrawerProps) => {
  const beside = useBeside()
  const own = beside?.isShown ? null : beside
  const depth = useContext(DialogDepth) + 1
  return (
    <DialogDepth value={depth}>
      <Drawer.Root {...root}>
        <Drawer.Overlay />
        <Drawer.Content>
          <Drawer.Header>
            <Drawer.Title>{title}</Drawer.Title>
            {own && own.of > 1 && (
              <Neighbours place={{ ...own, go: (to) => askGuards(() => own.go(to), own.id) }} cameBy={own.cameBy} />
            )}
            {own?.href && <WholePage to={own.href} />}
            <Drawer.CloseButton {...closeButtonProps} />
          </Drawer.Header>
          <Drawer.Body>
            <BesideContext value={beside && { ...beside, isShown: true }}>{children}</BesideContext>
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
    </DialogDepth>
  )
}

/** A link from a record beside its list to the record's page. */
const WholePage = ({ to }: { to: string }) => (
  <Tooltip label={say('lists.whole_page')}>
    <ActionIcon component={Link} to={to} size="sm" aria-label={say('lists.whole_page')}>
      <IconArrowUpRight size={16} />
    </ActionIcon>
  </Tooltip>
)
