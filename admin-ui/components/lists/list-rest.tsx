import { Button, type ButtonProps, Group, Text } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { measurePart, type PagedList, useOnPaper } from '../../lib/screen/paper-lists.ts'
import { usePrinting } from '../../lib/screen/use-printing.ts'
import { say } from '../../lib/text/words.ts'
import { errorText } from '../page/error-state.tsx'
import { describePart } from './paper-part.ts'

/** A list that is read page by page. */
export type Pages = PagedList &
  Pick<UseInfiniteQueryResult, 'error' | 'isRefetchError' | 'refetch' | 'isFetchNextPageError' | 'isFetchingNextPage'>

/** Says above the rows that reading them again failed, so they may be old. */
export const MaybeOld = ({ list }: { list: Pages }) =>
  list.isRefetchError ? (
    <Group gap="sm" className="maybe-old" role="alert">
      <Text size="sm" className="error-text">
        {say('lists.maybe_old')} {errorText(list.error)}
      </Text>
      <Button size="xs" variant="default" onClick={() => void list.refetch()}>
        {say('lists.try_again')}
      </Button>
    </Group>
  ) : null

/** A button that reads the next rows; the present ones stay if that fails. Paper says instead that there are more. */
export const LoadMore = ({ list, ...button }: { list: Pages } & ButtonProps) => {
  useOnPaper(list)
  const isPrinted = usePrinting()
  if (!list.hasNextPage) return null
  if (isPrinted) return <p className="print-part">{describePart(measurePart(list))}</p>
  return (
    <>
      {list.isFetchNextPageError && (
        <Text size="xs" className="error-text" role="alert">
          {errorText(list.error)}
        </Text>
      )}
      <Button
        variant="default"
        size="xs"
        {...button}
        loading={list.isFetchingNextPage}
        onClick={() => void list.fetchNextPage()}
      >
        {say('lists.load_more')}
      </Button>
    </>
  )
}
