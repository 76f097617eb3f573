import type { EndpointsOf } from '../../core/module.ts'
import { noticesPage } from './queries.ts'
import { readNotices } from './read-notices.ts'

export const endpoints = {
  'GET notices': noticesPage,
  'POST notices/read': readNotices,
} satisfies EndpointsOf<'notices'>
