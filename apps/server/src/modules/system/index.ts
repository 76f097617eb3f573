/**
 * System: what a client needs to know before it connects.
 *
 * Owns     nothing
 * Ignores  who asks, but for what his age lets him see
 */
import { module } from '../../platform/module.ts'
import { describeSystem } from './describe-system.ts'

export const system = module('system', { endpoints: { 'GET system': describeSystem } })
