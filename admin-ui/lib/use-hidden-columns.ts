import { useLocalStorage } from '@mantine/hooks'

export type HiddenColumns = {
  has: (key: string) => boolean
  toggle: (key: string) => void
}

/** Which columns of a list the reader has put away; kept in this browser. */
export const useHiddenColumns = (
  listId: string,
  columns: readonly { key: string; optional?: boolean }[],
): HiddenColumns => {
  const [hidden, setHidden] = useLocalStorage<string[]>({
    key: `columns:${listId}`,
    defaultValue: columns.filter(({ optional }) => optional).map(({ key }) => key),
    getInitialValueInEffect: false,
  })
  return {
    has: (key) => hidden.includes(key),
    toggle: (key) => setHidden((now) => (now.includes(key) ? now.filter((other) => other !== key) : [...now, key])),
  }
}
