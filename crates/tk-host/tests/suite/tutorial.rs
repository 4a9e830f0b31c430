//! A file with everything that files for Triton have: device constants, configurations, parametrized tests, references.

use crate::{Mock, program};
use tk_grammar::literal::{Assignment, Literal};

#[test]
fn a_tutorial_style_file_runs() {
    let program = program(include_str!("tutorial.tk"));
    let mut output = Vec::new();
    let size = Assignment { name: "M".into(), value: Literal::Int(32) };
    program.run_main(&[size], &mut Mock::idle(), &mut output).unwrap_or_else(|d| panic!("{d}"));
    assert!(String::from_utf8(output).unwrap().starts_with("a.shape=(32, 64) (32, 128) torch.float16 132"));
}

#[test]
fn parametrized_tests_are_listed_and_run_one_by_one_or_together() {
    let program = program(include_str!("tutorial.tk"));
    let names = program.tests();
    assert_eq!(names[..2], ["test_softmax[torch.float16-3-7]", "test_softmax[torch.float16-5-7]"]);
    assert_eq!((names.len(), names[4].as_str()), (5, "test_big"));
    for name in &names {
        let mut mock = Mock::idle();
        assert!(program.run_test(name, &mut mock, &mut std::io::sink()).is_ok(), "{name}");
        assert_eq!(mock.log.len(), usize::from(name != "test_big"));
    }
    let mut mock = Mock::idle();
    program.run_test("test_softmax", &mut mock, &mut std::io::sink()).unwrap();
    assert_eq!(mock.log.len(), 4);
    assert_eq!(mock.log[1], "kernel[1, 1, 1](x_ptr=*fp16@0 out_ptr=*fp16@0 N=7 stride=7 BM:64 BN:32 HEAD:64) w4 s3");
}
