import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import { IconArrowsMove, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type DragEvent, useState } from 'react'
import { say } from '../../../src/words/say.ts'
import { Confirm } from '../../components/confirm.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { RowLink } from '../../components/row-link.tsx'
import { notify } from '../../lib/notify.tsx'
import { useCan } from '../../lib/session.ts'
import { useRefresh } from '../../lib/use-record.ts'
import { AffiliateStatus, affiliateName } from './affiliate-words.tsx'
import { fetchAffiliate, fetchTree, type TreeNode, updateAffiliate } from './affiliates.api.ts'
import './affiliates.css'

/** The nodes of a tree in the order in which they are drawn: each before those below it. */
export function inOrder(nodes: readonly TreeNode[]): TreeNode[] {
  const below = Map.groupBy(nodes, ({ parentId }) => parentId ?? '')
  const walk = (node: TreeNode): TreeNode[] => [node, ...(below.get(node.id) ?? []).flatMap(walk)]
  return nodes.filter(({ depth }) => depth === 0).flatMap(walk)
}

/** Everybody at and below a node. */
const branchOf = (nodes: readonly TreeNode[], id: string): Set<string> => {
  const found = new Set([id])
  for (const node of inOrder(nodes)) if (node.parentId !== null && found.has(node.parentId)) found.add(node.id)
  return found
}

/**
 * An affiliate and everybody below. A manager moves a branch by dragging it onto another affiliate, or by the keyboard:
 * take it with its button, then choose where it goes.
 */
export const AffiliateTree = ({ id, linked = true }: { id: string; linked?: boolean }) => {
  const tree = useQuery({ queryKey: ['affiliates', 'tree', id], queryFn: () => fetchTree(id) })
  return (
    <Loaded query={tree}>{({ data, truncated }) => <Tree nodes={data} truncated={truncated} linked={linked} />}</Loaded>
  )
}

type TreeProps = { nodes: TreeNode[]; truncated: boolean; linked: boolean }
type Move = { node: TreeNode; to: TreeNode }

const Tree = ({ nodes, truncated, linked }: TreeProps) => {
  const can = useCan()
  const refresh = useRefresh()
  const [held, setHeld] = useState<TreeNode | null>(null)
  const [over, setOver] = useState<string | null>(null)
  const [asked, setAsked] = useState<Move | null>(null)
  const movable = linked && can('manager') && nodes.length > 1
  const branch = held ? branchOf(nodes, held.id) : null
  const takes = (node: TreeNode): boolean =>
    held !== null && branch !== null && !branch.has(node.id) && node.id !== held.parentId && node.status !== 'closed'
  const drop = (to: TreeNode): void => {
    if (held && takes(to)) setAsked({ node: held, to })
    setHeld(null)
    setOver(null)
  }
  return (
    <Stack gap="xs">
      {held && (
        <Group gap="xs" className="tree-held" role="status">
          <Text size="sm">{say('affiliates.tree.held', { name: affiliateName(held) })}</Text>
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconX size={12} />}
            ref={(way) => {
              // The button that took the branch is gone, and the focus went with it.
              if (document.activeElement === document.body) way?.focus()
            }}
            onClick={() => setHeld(null)}
          >
            {say('affiliates.tree.put_back')}
          </Button>
        </Group>
      )}
      <ul className="tree" aria-label={say('affiliates.tree.label')}>
        {inOrder(nodes).map((node) => (
          <li
            key={node.id}
            className="tree-node"
            style={{ paddingInlineStart: `${node.depth * 22 + 12}px` }}
            data-held={branch?.has(node.id) || undefined}
            data-over={(over === node.id && takes(node)) || undefined}
            draggable={movable && node.depth > 0}
            onDragStart={() => setHeld(node)}
            onDragEnd={() => {
              setHeld(null)
              setOver(null)
            }}
            onDragOver={(event: DragEvent) => {
              if (!takes(node)) return
              event.preventDefault()
              setOver(node.id)
            }}
            onDrop={(event: DragEvent) => {
              event.preventDefault()
              drop(node)
            }}
          >
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
            <Text span size="xs" c="dimmed" className="tree-count">
              {say('affiliates.tree.clients', { count: node.clients })}
            </Text>
            <AffiliateStatus status={node.status} />
            {takes(node) ? (
              <Button size="compact-xs" variant="light" onClick={() => drop(node)}>
                {say('affiliates.tree.here')}
              </Button>
            ) : (
              movable &&
              node.depth > 0 &&
              !held && (
                <ActionIcon
                  size="sm"
                  aria-label={say('affiliates.tree.take', { name: affiliateName(node) })}
                  title={say('affiliates.tree.take', { name: affiliateName(node) })}
                  onClick={() => setHeld(node)}
                >
                  <IconArrowsMove size={14} />
                </ActionIcon>
              )
            )}
          </li>
        ))}
      </ul>
      {truncated && (
        <Text size="xs" c="dimmed">
          {say('affiliates.tree.truncated')}
        </Text>
      )}
      {asked && (
        <Confirm
          opened
          danger={false}
          title={say('affiliates.tree.move_title')}
          confirmLabel={say('affiliates.tree.move')}
          onClose={() => setAsked(null)}
          action={async () => {
            const fresh = await fetchAffiliate(asked.node.id)
            await updateAffiliate(fresh, { parentId: asked.to.id })
            notify(say('affiliates.tree.moved'))
            void refresh('affiliates')
          }}
        >
          {say('affiliates.tree.move_text', { name: affiliateName(asked.node), parent: affiliateName(asked.to) })}
        </Confirm>
      )}
    </Stack>
  )
}
