//! Words with common beginnings kept once.

#[derive(Clone)]
pub struct Trie {
    /// By node: its children by input, ascending.
    children: Vec<Vec<(u32, u32)>>,
}

impl Default for Trie {
    fn default() -> Self {
        Trie { children: vec![Vec::new()] }
    }
}

impl Trie {
    pub const ROOT: u32 = 0;

    /// A node that no other leads to.
    pub fn add_root(&mut self) -> u32 {
        self.children.push(Vec::new());
        self.children.len() as u32 - 1
    }

    /// The node of a word, made where it is not there.
    pub fn insert(&mut self, root: u32, word: &[u32]) -> u32 {
        word.iter().fold(root, |node, &input| self.insert_child(node, input))
    }

    pub fn insert_child(&mut self, node: u32, input: u32) -> u32 {
        let children = &self.children[node as usize];
        match children.binary_search_by_key(&input, |child| child.0) {
            Ok(at) => children[at].1,
            Err(at) => {
                let new = self.children.len() as u32;
                self.children[node as usize].insert(at, (input, new));
                self.children.push(Vec::new());
                new
            }
        }
    }

    pub fn child(&self, node: u32, input: u32) -> Option<u32> {
        let children = &self.children[node as usize];
        children.binary_search_by_key(&input, |child| child.0).ok().map(|at| children[at].1)
    }

    pub fn children(&self, node: u32) -> &[(u32, u32)] {
        &self.children[node as usize]
    }

    pub fn len(&self) -> usize {
        self.children.len()
    }

    pub fn is_empty(&self) -> bool {
        false
    }
}
