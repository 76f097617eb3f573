/** Demo: users to try the product with, in the demo installation only. */
export { DemoMenu } from './demo-menu.tsx'
