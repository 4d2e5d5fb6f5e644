import type { Static } from '@sinclair/typebox'
import type { HeatmapOut, PositionOut } from '../../../src/modules/positions/positions.model.ts'
import { get, type Page, type Query } from '../../api.ts'

export type Position = Static<typeof PositionOut>
export type Heatmap = Static<typeof HeatmapOut>

export const fetchPositions = (query: Query): Promise<Page<Position>> => get('/v1/positions', query)
export const fetchHeatmap = (): Promise<Heatmap> => get('/v1/admin/position-heatmap')
