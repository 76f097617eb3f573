/** Demo: users to try the product with, in the demo installation only. */
export { CastLine } from './cast-line.tsx'
export { DemoMenu } from './demo-menu.tsx'
