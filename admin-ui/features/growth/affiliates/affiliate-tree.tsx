import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import { IconArrowsMove, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type DragEvent, useState } from 'react'
import { Confirm } from '../../../components/forms/confirm.tsx'
import { useUndo } from '../../../components/forms/use-undo.ts'
import { RowLink } from '../../../components/lists/row-link.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { AffiliateStatus, affiliateName } from './affiliate-words.tsx'
import { type AffiliateDetail, fetchAffiliate, fetchTree, type TreeNode, updateAffiliate } from './affiliates.api.ts'
import { say } from './words.ts'
import './affiliates.css'

/** Returns the nodes of a tree in the order in which they are drawn: each before those below it. */
export function inOrder(nodes: readonly TreeNode[]): TreeNode[] {
  const below = Map.groupBy(nodes, ({ parentId }) => parentId ?? '')
  const walk = (node: TreeNode): TreeNode[] => [node, ...(below.get(node.id) ?? []).flatMap(walk)]
  return nodes.filter(({ depth }) => depth === 0).flatMap(walk)
}

/** Returns the ids of a node and of all nodes below it. */
const collectBranch = (nodes: readonly TreeNode[], id: string): Set<string> => {
  const found = new Set([id])
  for (const node of inOrder(nodes)) if (node.parentId !== null && found.has(node.parentId)) found.add(node.id)
  return found
}

/**
 * Shows an affiliate and all affiliates below. A manager moves a branch by dragging it onto another affiliate, or by
 * the keyboard: one button takes the branch, another one puts it in its new place.
 */
export const AffiliateTree = ({ id, linked = true }: { id: string; linked?: boolean }) => {
  const tree = useQuery({ queryKey: ['affiliates', 'tree', id], queryFn: () => fetchTree(id) })
  return (
    <Loaded query={tree}>{({ data, truncated }) => <Tree nodes={data} truncated={truncated} linked={linked} />}</Loaded>
  )
}

type TreeProps = { nodes: TreeNode[]; truncated: boolean; linked: boolean }
type Move = { node: TreeNode; to: TreeNode }

/** Returns the branch that is being moved, which affiliates can take it, and the move that is to be confirmed. */
const useMoving = (nodes: readonly TreeNode[]) => {
  const [held, setHeld] = useState<TreeNode | null>(null)
  const [over, setOver] = useState<string | null>(null)
  const [asked, setAsked] = useState<Move | null>(null)
  const branch = held ? collectBranch(nodes, held.id) : null
  const takes = (node: TreeNode): boolean =>
    held !== null && branch !== null && !branch.has(node.id) && node.id !== held.parentId && node.status !== 'closed'
  const letGo = (): void => {
    setHeld(null)
    setOver(null)
  }
  return {
    held,
    over,
    asked,
    branch,
    takes,
    letGo,
    take: setHeld,
    hover: setOver,
    drop: (to: TreeNode): void => {
      if (held && takes(to)) setAsked({ node: held, to })
      letGo()
    },
    forget: (): void => setAsked(null),
  }
}
type Moving = ReturnType<typeof useMoving>

const Tree = ({ nodes, truncated, linked }: TreeProps) => {
  const can = useCan()
  const moving = useMoving(nodes)
  const movable = linked && can('manager') && nodes.length > 1
  return (
    <Stack gap="xs">
      {moving.held && <TakenBranch node={moving.held} onPutBack={moving.letGo} />}
      <ul className="tree" aria-label={say('affiliates.tree.label')}>
        {inOrder(nodes).map((node) => (
          <Node key={node.id} node={node} moving={moving} movable={movable && node.depth > 0} linked={linked} />
        ))}
      </ul>
      {truncated && (
        <Text size="xs" c="dimmed">
          {say('affiliates.tree.truncated')}
        </Text>
      )}
      {moving.asked && <AskMove move={moving.asked} onClose={moving.forget} />}
    </Stack>
  )
}

/** Says which branch is being moved, and can put it back. */
const TakenBranch = ({ node, onPutBack }: { node: TreeNode; onPutBack: () => void }) => (
  <Group gap="xs" className="tree-held" role="status">
    <Text size="sm">{say('affiliates.tree.held', { name: affiliateName(node) })}</Text>
    <Button
      size="compact-xs"
      variant="default"
      leftSection={<IconX size={12} />}
      ref={(way) => {
        // The button that took the branch is gone and the focus with it, so this button gets the focus.
        if (document.activeElement === document.body) way?.focus()
      }}
      onClick={onPutBack}
    >
      {say('affiliates.tree.put_back')}
    </Button>
  </Group>
)

type NodeProps = { node: TreeNode; moving: Moving; movable: boolean; linked: boolean }

/** Shows one affiliate, which can be dragged with all below it, or on which a branch can be dropped. */
const Node = ({ node, moving, movable, linked }: NodeProps) => {
  const { branch, over, takes, take, drop, letGo, hover } = moving
  return (
    <li
      className="tree-node"
      style={{ paddingInlineStart: `${node.depth * 22 + 12}px` }}
      data-held={branch?.has(node.id) || undefined}
      data-over={(over === node.id && takes(node)) || undefined}
      draggable={movable}
      onDragStart={() => take(node)}
      onDragEnd={letGo}
      onDragOver={(event: DragEvent) => {
        if (!takes(node)) return
        event.preventDefault()
        hover(node.id)
      }}
      onDrop={(event: DragEvent) => {
        event.preventDefault()
        drop(node)
      }}
    >
      <NodeName node={node} linked={linked} />
      <Text span size="xs" c="dimmed" className="tree-count">
        {say('affiliates.tree.clients', { count: node.clients })}
      </Text>
      <AffiliateStatus status={node.status} />
      <NodeAct node={node} moving={moving} movable={movable} />
    </li>
  )
}

const NodeName = ({ node, linked }: { node: TreeNode; linked: boolean }) => (
  <div className="tree-name">
    {linked && node.depth > 0 ? (
      <RowLink to={`/affiliates/${node.id}`} onOpen={() => undefined}>
        {affiliateName(node)}
      </RowLink>
    ) : (
      <Text span fw={node.depth === 0 ? 600 : 400} size="sm">
        {affiliateName(node)}
      </Text>
    )}
    <Text span size="xs" c="dimmed" className="tree-code">
      {node.code}
    </Text>
  </div>
)

/** Takes the branch, or puts the taken one here, for readers who use the keyboard. */
const NodeAct = ({ node, moving, movable }: Omit<NodeProps, 'linked'>) => {
  const words = say('affiliates.tree.take', { name: affiliateName(node) })
  if (moving.takes(node))
    return (
      <Button size="compact-xs" variant="light" onClick={() => moving.drop(node)}>
        {say('affiliates.tree.here')}
      </Button>
    )
  if (!movable || moving.held) return null
  return (
    <ActionIcon size="sm" aria-label={words} title={words} onClick={() => moving.take(node)}>
      <IconArrowsMove size={14} />
    </ActionIcon>
  )
}

const AskMove = ({ move: { node, to }, onClose }: { move: Move; onClose: () => void }) => {
  const refresh = useRefresh()
  const offerUndo = useUndo('affiliates')
  const [seen, setSeen] = useState<AffiliateDetail | null>(null)
  const move = async (): Promise<void> => {
    // A second try after a lost answer sends the same version, so that it does not undo a colleague's change.
    const affiliate = seen ?? (await fetchAffiliate(node.id))
    setSeen(affiliate)
    const { parentId } = affiliate
    const after = await updateAffiliate(affiliate, { parentId: to.id })
    offerUndo(say('affiliates.tree.moved'), () => updateAffiliate(after, { parentId }))
    void refresh('affiliates')
  }
  return (
    <Confirm
      opened
      danger={false}
      title={say('affiliates.tree.move_title')}
      confirmLabel={say('affiliates.tree.move')}
      onClose={onClose}
      onReload={() => void refresh('affiliates')}
      action={move}
    >
      {say('affiliates.tree.move_text', { name: affiliateName(node), parent: affiliateName(to) })}
    </Confirm>
  )
}
