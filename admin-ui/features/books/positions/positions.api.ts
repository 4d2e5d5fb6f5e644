import { type Answer, call, type QueryOf, type Row } from '../../../api.ts'

export type Position = Row<'positions.list'>
export type Closing = Answer<'positions.get'>['closings'][number]
export type Heatmap = Answer<'positions.heatmap'>

export const fetchPositions = (query: QueryOf<'positions.list'>) => call('positions.list', { query })
export const fetchPosition = (id: string) => call('positions.get', { params: { id } })
export const fetchHeatmap = () => call('positions.heatmap')
